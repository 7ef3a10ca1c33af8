import { type Bytes, entry, floats, message, number, packed, text } from './wire.js';

/** The element types of MIL: https://github.com/apple/coremltools/blob/main/mlmodel/format/MIL.proto */
export type MilType = 'fp32' | 'int32' | 'bool' | 'string';

const TYPES: Readonly<Record<MilType, number>> = { bool: 1, string: 2, fp32: 11, int32: 23 };

export interface Shaped {
  readonly type: MilType;
  readonly dims: readonly number[];
}

/** A constant within the program. */
export interface Literal extends Shaped {
  readonly values: readonly (number | string)[];
}

export const literal = (type: MilType, values: readonly (number | string)[]): Literal => ({
  type,
  dims: [values.length],
  values,
});

export const scalar = (type: MilType, value: number | string): Literal => ({ type, dims: [], values: [value] });

const typed = (field: number, { type, dims }: Shaped): Bytes =>
  message(
    field,
    message(
      1,
      number(1, TYPES[type]),
      number(2, dims.length),
      // proto3 omits a size of 0, but the enclosing message must be present.
      ...dims.map((size) => message(3, message(1, number(1, size)))),
    ),
  );

export const named = (field: number, name: string, shaped: Shaped): Bytes =>
  message(field, text(1, name), typed(2, shaped));

/** Encodes the values of a tensor. */
const VALUES: Readonly<Record<MilType, (values: readonly (number | string)[]) => Bytes>> = {
  fp32: (values) => message(1, floats(1, values as number[])),
  int32: (values) => message(2, packed(1, values as number[])),
  bool: (values) => message(3, packed(1, values as number[])),
  string: (values) => message(4, ...values.map((value) => text(1, value as string))),
};

const immediate = (value: Literal): Bytes[] => [
  typed(2, value),
  message(3, message(1, VALUES[value.type](value.values))),
];

/** A constant whose values are in the weight file, with its header at `offset`. */
export const inFile = (shaped: Shaped, offset: number): Bytes[] => [
  typed(2, shaped),
  message(5, text(1, '@model_path/weights/weight.bin'), number(2, offset)),
];

const nameOf = (name: string): Bytes => entry(5, 'name', ...immediate(scalar('string', name)));

export function constant(name: string, shaped: Shaped, value: readonly Bytes[]): Bytes {
  return message(3, text(1, 'const'), named(3, name, shaped), nameOf(name), entry(5, 'val', ...value));
}

export const literalConstant = (name: string, value: Literal): Bytes => constant(name, value, immediate(value));

/** Encodes an operation. Inputs are names of values, or lists of names. */
export function operation(
  type: string,
  inputs: Readonly<Record<string, readonly string[]>>,
  outputs: readonly (readonly [string, Shaped])[],
): Bytes {
  const arguments_ = Object.entries(inputs).map(([name, values]) =>
    entry(2, name, ...values.map((value) => message(1, text(1, value)))),
  );
  const [[first] = ['']] = outputs;
  return message(
    3,
    text(1, type),
    ...arguments_,
    ...outputs.map(([name, shaped]) => named(3, name, shaped)),
    nameOf(first),
  );
}
