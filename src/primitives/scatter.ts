import { stridesOf } from '../graph/dims.js';
import type { Primitive } from '../schema/definition.js';
import { INTEGERS } from '../schema/element-sets.js';
import { positionOf, rowsOfTuples } from '../schema/positions.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { entriesOf, tensorOfEntries } from '../tensor/packed.js';
import { elementCount, integers, type TensorValue } from '../tensor/tensor-value.js';
import type { Along } from './along.js';

/** Combination of an element with its updates. */
export type Reduction = 'None' | 'Add' | 'Mul' | 'Min' | 'Max';

export interface ScatterParameters {
  readonly reduction: Reduction;
}

/** Operand 0, combined with the elements of operand 2 at the positions along an axis that operand 1 gives. */
export const scatterElements: Primitive<ScatterParameters & Along> = {
  name: 'scatter-elements',
  facts: { moves: ({ reduction }) => reduction === 'None' },
  reference(c, { axis, reduction }) {
    const [x, indices, updates] = [c.tensor(0), c.tensor(1), c.tensor(2)];
    const [strides, own] = [stridesOf(x.dims), stridesOf(indices.dims)];
    const targets = integers(indices).map((index, i) =>
      strides.reduce((sum, stride, d) => {
        const at = Math.floor(i / (own[d] as number)) % (indices.dims[d] as number);
        return sum + stride * (d === axis ? positionOf(c, index, x.dims[axis] as number, axis) : at);
      }, 0),
    );
    return [scattered(x, updates, targets, 1, reduction)];
  },
};

/** Operand 0, combined with the rows of operand 2 at the index tuples of operand 1. */
export const scatterND: Primitive<ScatterParameters> = {
  name: 'scatter-nd',
  facts: { moves: ({ reduction }) => reduction === 'None' },
  reference(c, { reduction }) {
    const [x, indices, updates] = [c.tensor(0), c.tensor(1), c.tensor(2)];
    const depth = indices.dims.at(-1) as number;
    const targets = rowsOfTuples(c, indices, { dims: x.dims.slice(0, depth), axis: 0 });
    return [scattered(x, updates, targets, elementCount(x.dims.slice(depth)), reduction)];
  },
};

/** Also apply to bigints; the sum of strings joins them. */
const FOLDS: Record<Reduction, (a: number, b: number) => number> = {
  None: (_, b) => b,
  Add: (a, b) => a + b,
  Mul: (a, b) => a * b,
  Min: (a, b) => (a < b || Number.isNaN(a) ? a : b),
  Max: (a, b) => (a > b || Number.isNaN(a) ? a : b),
};

/** Combines x with updates at `targets`, rows of `row` elements. */
function scattered(
  x: TensorValue,
  updates: TensorValue,
  targets: readonly number[],
  row: number,
  reduction: Reduction,
): TensorValue {
  if (reduction === 'None') return replaced(x, updates, targets, row);
  const { bits, entries = 1 } = ELEMENTS[x.type];
  const isExact = INTEGERS.includes(x.type) || x.type === 'string';
  const values = (isExact ? x.data.slice() : Float64Array.from(numbersOf(x))) as Float64Array;
  const news = isExact ? (updates.data as Float64Array) : numbersOf(updates);
  const isProduct = reduction === 'Mul';
  const fold = isProduct && isExact && bits <= 32 ? Math.imul : FOLDS[reduction];
  const [length, step] = [row * entries, isProduct ? entries : 1];
  targets.forEach((target, t) => {
    for (let k = 0; k < length; k += step) {
      const [at, from] = [target * length + k, t * length + k];
      if (step === 2) multiplyComplex(values, at, news, from);
      else values[at] = fold(values[at] as number, news[from] as number);
    }
  });
  return isExact ? ({ type: x.type, dims: x.dims, data: values } as TensorValue) : tensorOf(x.type, x.dims, values);
}

function multiplyComplex(values: Float64Array, at: number, factors: ArrayLike<number>, from: number): void {
  const [real, imaginary] = [values[at] as number, values[at + 1] as number];
  const [byReal, byImaginary] = [factors[from] as number, factors[from + 1] as number];
  values[at] = real * byReal - imaginary * byImaginary;
  values[at + 1] = real * byImaginary + imaginary * byReal;
}

function replaced(x: TensorValue, updates: TensorValue, targets: readonly number[], row: number): TensorValue {
  const length = row * (ELEMENTS[x.type].entries ?? 1);
  const data = entriesOf(x).slice() as unknown[];
  const news = entriesOf(updates);
  targets.forEach((target, t) => {
    for (let k = 0; k < length; k++) data[target * length + k] = news[t * length + k];
  });
  return tensorOfEntries(x.type, x.dims, data as string[]);
}
