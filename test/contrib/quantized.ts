import { tensor } from '../../src/builder/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import type { Draw } from './case.js';

export type Byte = 'uint8' | 'int8';

const RANGES: Readonly<Record<Byte, readonly [number, number]>> = { uint8: [0, 255], int8: [-128, 127] };

/** Integers over the whole range. */
export const bytes = ({ ints }: Draw, type: Byte, dims: readonly number[]): TensorValue =>
  ints(type, dims, ...RANGES[type]);

/** Some are powers of two, with which sums are exact and many results lie half-way between two steps. */
const number = ({ unit, pick, chance }: Draw, largest: number) =>
  chance(0.4) ? largest * pick([1, 0.5, 0.25]) : largest * (0.1 + 0.9 * unit());

export const scale = (d: Draw, largest = 0.125, dims: readonly number[] = []): TensorValue =>
  tensor(
    'float32',
    dims,
    Array.from({ length: dims.reduce((n, size) => n * size, 1) }, () => number(d, largest)),
  );

export const zero = ({ int }: Draw, type: Byte, dims: readonly number[] = []): TensorValue => {
  const [from, to] = RANGES[type];
  const middle = type === 'uint8' ? 128 : 0;
  const near = () => Math.min(Math.max(middle + int(-60, 60), from), to);
  return tensor(type, dims, Array.from({ length: dims.reduce((n, size) => n * size, 1) }, near));
};

/** A scale and a zero point; sometimes lists of one, sometimes without a zero point, if these are taken. */
export function levels(
  d: Draw,
  type: Byte,
  { largest = 0.125, optional = true, lists = true } = {},
): [TensorValue, TensorValue | null] {
  const dims = lists && d.chance(0.3) ? [1] : [];
  return [scale(d, largest, dims), optional && d.chance(0.2) ? null : zero(d, type, dims)];
}

/** Without a last input that is left out: onnxruntime takes a shorter list, but none that ends in nothing. */
export const shortened = (inputs: readonly (TensorValue | null)[]): readonly (TensorValue | null)[] =>
  inputs.at(-1) === null ? inputs.slice(0, -1) : inputs;

/** The numbers of all inputs but these: they are constants. */
export const allBut = (inputs: readonly (TensorValue | null)[], ...fed: readonly number[]): number[] =>
  inputs.flatMap((input, i) => (input && !fed.includes(i) ? [i] : []));

/** Integers are equal, as quantised results must be; floats beside them differ by what rounding makes. */
export const EQUAL = { relative: 1e-6, absolute: 0 };
