import { stridesOf } from '../../graph/dims.js';
import type { ElementType } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { elementCount, emptyData, type TensorValue } from '../../tensor/tensor-value.js';
import { evaluateStrided } from '../strided.js';
import type { Kind } from './reduce.js';

type Fold = (values: ArrayLike<number>, from: number, length: number) => number;

function fold(start: number, step: (total: number, x: number) => number): Fold {
  return (values, from, length) => {
    let total = start;
    for (let i = from; i < from + length; i++) total = step(total, values[i] as number);
    return total;
  };
}

const sum = fold(0, (total, x) => total + x);
const sumSquare = fold(0, (total, x) => total + x * x);
const max = fold(Number.NEGATIVE_INFINITY, Math.max);
const min = fold(Number.POSITIVE_INFINITY, Math.min);

const FOLDS: Record<Kind, Fold> = {
  Sum: sum,
  Mean: (values, from, length) => sum(values, from, length) / length,
  Max: max,
  Min: min,
  Prod: fold(1, (total, x) => total * x),
  SumSquare: sumSquare,
  L1: fold(0, (total, x) => total + Math.abs(x)),
  L2: (values, from, length) => Math.sqrt(sumSquare(values, from, length)),
  LogSum: (values, from, length) => Math.log(sum(values, from, length)),
  LogSumExp(values, from, length) {
    const peak = max(values, from, length);
    const shift = Number.isFinite(peak) ? peak : 0;
    return shift + Math.log(fold(0, (total, x) => total + Math.exp(x - shift))(values, from, length));
  },
};

/** The folds that 64-bit integers need exactly, from their first element on. */
const EXACT: Partial<Record<Kind, (total: bigint, x: bigint) => bigint>> = {
  Sum: (total, x) => total + x,
  Prod: (total, x) => total * x,
  Max: (total, x) => (x > total ? x : total),
  Min: (total, x) => (x < total ? x : total),
};

/** The extreme values that an empty Max or Min of integers has. */
const RANGES: Partial<Record<ElementType, readonly [low: number, high: number]>> = {
  bool: [0, 1],
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
};

export function reduceOnHost(x: TensorValue, kind: Kind, folded: readonly boolean[], keepDims: boolean): TensorValue {
  const axes = x.dims.map((_, axis) => axis);
  const order = [...axes.filter((axis) => !folded[axis]), ...axes.filter((axis) => folded[axis])];
  const strides = stridesOf(x.dims);
  const pick = (values: readonly number[]) => order.map((axis) => values[axis] as number);
  const rows = evaluateStrided(x, pick(x.dims), pick(strides), 0);
  const kept = x.dims.filter((_, axis) => !folded[axis]);
  const dims = keepDims ? x.dims.map((dim, axis) => (folded[axis] ? 1 : dim)) : kept;
  const count = elementCount(kept);
  const length = elementCount(x.dims.filter((_, axis) => folded[axis]));
  return exactly(rows, kind, dims, count, length) ?? rounded(rows, kind, dims, count, length);
}

function rounded(rows: TensorValue, kind: Kind, dims: readonly number[], count: number, length: number): TensorValue {
  const values = numbersOf(rows);
  const results = Float64Array.from({ length: count }, (_, i) => FOLDS[kind](values, i * length, length));
  const range = length === 0 ? RANGES[rows.type] : undefined;
  return tensorOf(rows.type, dims, range ? results.map((x) => Math.min(Math.max(x, range[0]), range[1])) : results);
}

function exactly(
  { type, data }: TensorValue,
  kind: Kind,
  dims: readonly number[],
  count: number,
  length: number,
): TensorValue | undefined {
  const step = EXACT[kind];
  if (!step || length === 0 || (type !== 'int64' && type !== 'uint64')) return undefined;
  const values = data as unknown as bigint[];
  const results = emptyData(type, dims) as BigInt64Array;
  for (let i = 0; i < count; i++) {
    let total = values[i * length] as bigint;
    for (let k = 1; k < length; k++) total = step(total, values[i * length + k] as bigint);
    results[i] = total;
  }
  return { type, dims, data: results };
}
