import type { Value } from '../../../../graph/graph.js';
import { type Draft, refuse } from '../draft.js';
import { matched } from './arithmetic.js';
import { afterwards } from './convolution.js';
import type { Operands, Operator, Operators } from './operator.js';

function flipped(d: Draft, x: Value, isFlipped: boolean): Value {
  if (!isFlipped) return x;
  const axes = Array.from({ length: d.rank(x) }, (_, axis) => axis);
  return d.transpose(x, [...axes.slice(0, -2), axes.length - 1, axes.length - 2]);
}

const product =
  (first: string, second: string): Operator =>
  ([a, b], d, attributes) =>
    d.op('MatMul', [flipped(d, a, attributes.flag(first)), flipped(d, b, attributes.flag(second))]);

const plain = product('transpose_a', 'transpose_b');
const batched = product('adj_x', 'adj_y');

const fused: Operator = (operands, d, attributes, around) => {
  const steps = attributes.texts('fused_ops');
  const hasBias = steps[0] === 'BiasAdd';
  const [, , ...others] = operands;
  const result = plain(operands, d, attributes, around) as Value;
  const biased = hasBias ? d.op('Add', [result, others[0] as Value]) : result;
  return afterwards(d, biased, steps.slice(Number(hasBias)), others.slice(Number(hasBias)), attributes);
};

function transposed([x, order]: Operands, d: Draft): Value {
  if (order) return d.transpose(x, d.numbers(order, 'the order of axes'));
  return d.transpose(
    x,
    Array.from({ length: d.rank(x) }, (_, i) => d.rank(x) - 1 - i),
  );
}

/** Keeps the diagonals from `below` to `above`; negative numbers keep all. */
function band([x, below, above]: Operands, d: Draft): Value {
  const [lower = 0] = d.numbers(below, 'the number of diagonals below');
  const [upper = 0] = d.numbers(above, 'the number of diagonals above');
  const cut = upper < 0 ? x : d.emit('Trilu', [x, d.number('int64', upper)], { upper: 0 });
  return lower < 0 ? cut : d.emit('Trilu', [cut, d.number('int64', -lower)], { upper: 1 });
}

export const matrices: Operators = {
  MatMul: plain,
  BatchMatMul: batched,
  BatchMatMulV2: batched,
  _FusedMatMul: fused,
  Transpose: transposed,
  Einsum: (operands, d, a) =>
    d.emit('Einsum', matched(d, operands), { equation: a.text('equation') || refuse('the equation is missing') }),
  MatrixBandPart: band,
};
