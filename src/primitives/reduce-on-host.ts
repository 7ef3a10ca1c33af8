import { stridesOf } from '../graph/dims.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { bigintsOf, numbersOf, tensorOf, tensorOfBigints } from '../tensor/numbers.js';
import { evaluateStrided } from '../tensor/strided.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

export type Kind = 'Sum' | 'Mean' | 'Max' | 'Min' | 'Prod' | 'SumSquare' | 'L1' | 'L2' | 'LogSum' | 'LogSumExp';

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

interface ExactFold {
  readonly start: (type: ElementType) => bigint;
  step(total: bigint, x: bigint): bigint;
  /** Finishes the total of `length` elements; by default the total stays. */
  readonly end?: (total: bigint, length: bigint) => bigint;
}

const rangeOf = (type: ElementType): readonly [low: bigint, high: bigint] => {
  const { bits } = ELEMENTS[type];
  return type[0] === 'u' ? [0n, 2n ** BigInt(bits) - 1n] : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
};

const from = (start: bigint, step: ExactFold['step']): ExactFold => ({ start: () => start, step });

/** Reductions that must be exact for integers. */
const EXACT: Partial<Record<Kind, ExactFold>> = {
  Sum: from(0n, (total, x) => total + x),
  Mean: { ...from(0n, (total, x) => total + x), end: (total, length) => (length ? total / length : 0n) },
  SumSquare: from(0n, (total, x) => total + x * x),
  L1: from(0n, (total, x) => total + (x < 0n ? -x : x)),
  Prod: from(1n, (total, x) => total * x),
  Max: { start: (type) => rangeOf(type)[0], step: (total, x) => (x > total ? x : total) },
  Min: { start: (type) => rangeOf(type)[1], step: (total, x) => (x < total ? x : total) },
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
  const exact = /^u?int/.test(x.type) ? EXACT[kind] : undefined;
  if (exact) return tensorOfBigints(x.type, dims, exactly(rows, exact, count, length));
  const values = numbersOf(rows);
  const results = Float64Array.from({ length: count }, (_, i) => FOLDS[kind](values, i * length, length));
  return tensorOf(x.type, dims, x.type === 'bool' ? results.map((value) => Math.min(Math.max(value, 0), 1)) : results);
}

function exactly(rows: TensorValue, fold: ExactFold, count: number, length: number): bigint[] {
  const { start, step, end = (total) => total } = fold;
  const values = Array.from(bigintsOf(rows));
  const total = (i: number) => values.slice(i * length, (i + 1) * length).reduce(step, start(rows.type));
  return Array.from({ length: count }, (_, i) => end(total(i), BigInt(length)));
}
