type End<Given extends readonly unknown[]> = (...given: Given) => unknown;

let registry: FinalizationRegistry<readonly [End<never>, readonly unknown[]]> | undefined;

/**
 * Calls `end` with `given` once `object` has been garbage-collected, unless `remembered` is called before. `given` must not reference the
 * object. `end` is not a closure, because closures keep everything alive that other closures of their scope use, and minifiers merge
 * scopes.
 */
export function onForgotten<Given extends readonly unknown[]>(object: object, end: End<Given>, ...given: Given): void {
  registry ??= new FinalizationRegistry(([call, values]) => call(...(values as never)));
  registry.register(object, [end, given], object);
}

/** Cancels `onForgotten`, because the object was disposed of properly. */
export const remembered = (object: object): unknown => registry?.unregister(object);
