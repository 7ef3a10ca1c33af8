declare const unknown: unique symbol;

/** The symbol, as the host's types declare it; a different one if they do not. */
type Known<Name extends string> = SymbolConstructor extends { readonly [N in Name]: infer S extends symbol }
  ? S
  : typeof unknown;

const { dispose: known, asyncDispose: knownAsync } = Symbol as {
  readonly dispose?: symbol;
  readonly asyncDispose?: symbol;
};

/** Called by `using`. Engines without it use the symbol that compilers emit. */
export const dispose: Known<'dispose'> = (known ?? Symbol.for('Symbol.dispose')) as never;

/** Called by `await using`. */
export const asyncDispose: Known<'asyncDispose'> = (knownAsync ?? Symbol.for('Symbol.asyncDispose')) as never;
