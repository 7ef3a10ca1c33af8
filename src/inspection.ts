import type { ValueMetadata } from './graph/metadata.js';

/** `util.inspect` of Node and Bun, and its equivalent in Deno. */
type Inspect = (value: unknown, options: object) => string;

/**
 * Defines the output of consoles for a class's objects: these fields in Node, Bun and Deno, and everywhere its name, even if an
 * application's minifier renames the class.
 */
export function inspectable<T>(prototype: T, name: string, fields: (object: T) => object): void {
  const show = function (this: T, depth: number, options: object, inspect: Inspect) {
    if (depth < 0) return `[${name}]`;
    return `${name} ${inspect(fields(this), { ...options, depth, maxArrayLength: 8 })}`;
  };
  Object.defineProperties(prototype, {
    [Symbol.toStringTag]: { value: name },
    [Symbol.for('nodejs.util.inspect.custom')]: { value: show },
  });
}

interface Interface {
  readonly inputMetadata: readonly ValueMetadata[];
  readonly outputMetadata: readonly ValueMetadata[];
}

/** The types of a model's inputs and outputs by name, e.g. `float32[batch,10]`, `sequence`. */
export const typesOf = ({ inputMetadata, outputMetadata }: Interface) => ({
  inputs: Object.fromEntries(inputMetadata.map(typed)),
  outputs: Object.fromEntries(outputMetadata.map(typed)),
});

const typed = (value: ValueMetadata): [name: string, type: string | undefined] => [
  value.name,
  value.isTensor ? `${value.type}[${value.shape}]` : value.valueType?.kind,
];
