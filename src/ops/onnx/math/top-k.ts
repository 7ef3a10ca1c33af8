import { account } from '../../../account.js';
import { type Dim, tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { axisOf, like } from '../../../schema/shapes.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { aboutAxis, takeRows } from '../../../tensor/rows.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

/** From opset 10 on an input says k. */
export interface TopKAttributes {
  readonly axis: number;
  readonly largest?: number;
  readonly k?: number;
}

/** Positions by value, ties by position; NaN counts as the largest. */
function order(values: ArrayLike<number | bigint>, smallest: boolean): (a: number, b: number) => number {
  const sign = smallest ? 1 : -1;
  return (a, b) => {
    account()?.spend(8);
    const [x, y] = [values[a] as number, values[b] as number];
    if (x === y) return a - b;
    const less = Number.isNaN(y) ? !Number.isNaN(x) : x < y;
    return Number.isNaN(x) && Number.isNaN(y) ? a - b : less ? -sign : sign;
  };
}

function topOnHost(x: TensorValue, axis: number, k: number, smallest: boolean): TensorValue[] {
  const { outer, length, inner } = aboutAxis(x.dims, axis);
  const values = typeof x.data[0] === 'bigint' ? (x.data as unknown as bigint[]) : numbersOf(x);
  const compare = order(values, smallest);
  const sources = new Array<number>(outer * k * inner);
  const indices = new BigInt64Array(sources.length);
  for (let line = 0; line < outer * inner; line++) {
    const [o, i] = [Math.floor(line / inner), line % inner];
    const from = o * length * inner + i;
    const best = Array.from({ length }, (_, n) => from + n * inner)
      .sort(compare)
      .slice(0, k);
    best.forEach((source, rank) => {
      const to = (o * k + rank) * inner + i;
      sources[to] = source;
      indices[to] = BigInt((source - from) / inner);
    });
  }
  const dims = x.dims.with(axis, k);
  return [takeRows(x, sources, 1, dims), { type: 'int64', dims, data: indices }];
}

const countOf = (c: Inference<TopKAttributes>): Dim | undefined => c.attributes.k ?? c.sizes(1)?.[0];

/** How many of an axis of `length` are asked for. */
export function knownCount(c: Inference<TopKAttributes>, length: number): number {
  const k = countOf(c) ?? c.fail('INVALID_SHAPE', 'k must be one number');
  return typeof k === 'number' && k >= 0 && k <= length
    ? k
    : c.fail('INVALID_VALUE', `k is ${k}; the axis has ${length} elements`);
}

const rules = {
  infer(c: Inference<TopKAttributes>) {
    const dims = c.dims(0);
    const axis = dims && axisOf(c, c.attributes.axis, dims.length);
    const out = axis === undefined ? undefined : dims?.with(axis, countOf(c) ?? c.unknown());
    return [like(c, 0, out), tensorType('int64', out)];
  },
  evaluate(c: Evaluation<TopKAttributes>) {
    const x = c.tensor(0);
    const axis = axisOf(c, c.attributes.axis, x.dims.length);
    return topOnHost(x, axis, knownCount(c, x.dims[axis] as number), c.attributes.largest === 0);
  },
};

/** https://onnx.ai/onnx/operators/onnx__TopK.html */
export const topK = [
  defineOp({
    name: 'TopK',
    since: 10,
    signature: 'X: T, K: int64 -> Values: T, Indices: int64',
    types: { T: NUMBERS },
    attributes: { axis: int(-1), largest: int(1), sorted: int(1) },
    planned: [1],
    ...rules,
  }),
  defineOp({
    name: 'TopK',
    signature: 'X: T -> Values: T, Indices: int64',
    types: { T: FLOATS },
    attributes: { axis: int(-1), k: int.required },
    ...rules,
  }),
];
