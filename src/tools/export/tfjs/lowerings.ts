import type { Value } from '../../../graph/graph.js';
import { type Draft, refuse } from '../../import/tfjs/draft.js';
import type { Lowering } from './lowering.js';
import { windows } from './windows.js';

const number = (d: Draft, value: number): Value => d.number('float32', value);
const axesBehind = (d: Draft, x: Value, axis: number): number[] =>
  Array.from({ length: d.rank(x) - axis }, (_, i) => axis + i);

/** Reshapes [channels] to broadcast with [batch, channels, …]. */
const beside = (d: Draft, channels: Value, x: Value): Value =>
  d.reshape(channels, -1, ...new Array(d.rank(x) - 2).fill(1));

const batchNormalization: Lowering = ([x, scale, offset, mean, variance], d, { given }) => {
  const root = d.op('Sqrt', [d.op('Add', [variance as Value, number(d, Number(given.epsilon))])]);
  const factor = d.op('Div', [scale as Value, root]);
  const rest = d.op('Sub', [offset as Value, d.op('Mul', [mean as Value, factor])]);
  const scaled = d.op('Mul', [x as Value, beside(d, factor, x as Value)]);
  return d.op('Add', [scaled, beside(d, rest, x as Value)]);
};

/** Normalizes to mean 0 and variance 1 over the given axes. */
function standardized(d: Draft, x: Value, axes: readonly number[], epsilon: unknown): Value {
  const mean = (value: Value) => d.op('ReduceMean', [value, d.list(...axes)], { keepdims: 1 });
  const centered = d.op('Sub', [x, mean(x)]);
  const variance = mean(d.op('Mul', [centered, centered]));
  return d.op('Div', [centered, d.op('Sqrt', [d.op('Add', [variance, number(d, Number(epsilon))])])]);
}

const layerNormalization: Lowering = ([x, scale, offset], d, { given, wanted }) => {
  if (wanted > 1) refuse('TensorFlow.js does not support the outputs Mean and InvStdDev');
  const value = x as Value;
  const axis = Number(given.axis ?? -1);
  const even = standardized(d, value, axesBehind(d, value, axis < 0 ? axis + d.rank(value) : axis), given.epsilon);
  const scaled = d.op('Mul', [even, scale as Value]);
  return offset ? d.op('Add', [scaled, offset]) : scaled;
};

const instanceNormalization: Lowering = ([x, scale, offset], d, { given }) => {
  const value = x as Value;
  const even = standardized(d, value, axesBehind(d, value, 2), given.epsilon);
  return d.op('Add', [d.op('Mul', [even, beside(d, scale as Value, value)]), beside(d, offset as Value, value)]);
};

const product: Lowering = ([a, b, c], d, { given }) => {
  const flipped = (x: Value, is: unknown) => (is ? d.transpose(x, [1, 0]) : x);
  const scaled = (x: Value, by: unknown) => (Number(by ?? 1) === 1 ? x : d.op('Mul', [x, number(d, Number(by))]));
  const result = scaled(
    d.op('MatMul', [flipped(a as Value, given.transA), flipped(b as Value, given.transB)]),
    given.alpha,
  );
  return c ? d.op('Add', [result, scaled(c, given.beta)]) : result;
};

const whole =
  (op: string): Lowering =>
  ([x], d) =>
    d.op(op, [x as Value, d.list(...axesBehind(d, x as Value, 2))], { keepdims: 1 });

/** Transposes so that the operator applies to the last axis. */
const behind =
  (op: string): Lowering =>
  ([x], d, { given }) => {
    const value = x as Value;
    const rank = d.rank(value);
    const axis = Number(given.axis ?? -1);
    const order = Array.from({ length: rank }, (_, i) => i);
    const place = axis < 0 ? axis + rank : axis;
    [order[place], order[rank - 1]] = [rank - 1, place];
    return d.transpose(d.emit(op, [d.transpose(value, order)], { axis: -1 }), order);
  };

const flattened: Lowering = ([x], d, { given }) => {
  const value = x as Value;
  const dims = d.dims(value) ?? [];
  const axis = Number(given.axis ?? 1);
  const behindIt = dims.slice(axis < 0 ? axis + dims.length : axis);
  const isKnown = behindIt.every((size) => typeof size === 'number');
  const count = (sizes: readonly unknown[]) => (sizes as number[]).reduce((a, b) => a * b, 1);
  if (isKnown) return d.reshape(value, -1, count(behindIt));
  return axis === 1 ? d.reshape(value, 0, -1) : refuse('the sizes after axis must be known');
};

const first: Lowering = ([x]) => x as Value;

const variadic =
  (op: string): Lowering =>
  ([x, ...others], d) =>
    others.reduce<Value>((sum, other) => d.op(op, [sum, other]), x as Value);

const mean: Lowering = (inputs, d, node) =>
  d.op('Div', [variadic('Add')(inputs, d, node) as Value, number(d, inputs.length)]);

const hardSigmoid: Lowering = ([x], d, { given }) => {
  const line = d.op('Add', [
    d.op('Mul', [x as Value, number(d, Number(given.alpha ?? 0.2))]),
    number(d, Number(given.beta ?? 0.5)),
  ]);
  return d.op('Clip', [line, number(d, 0), number(d, 1)]);
};

const hardSwish: Lowering = ([x], d) => {
  const line = d.op('Add', [d.op('Mul', [x as Value, number(d, 1 / 6)]), number(d, 0.5)]);
  return d.op('Mul', [x as Value, d.op('Clip', [line, number(d, 0), number(d, 1)])]);
};

const squares =
  (op: string, after?: string): Lowering =>
  ([x, axes], d, { given }) => {
    const sum = d.op(op, [d.op('Mul', [x as Value, x as Value]), axes ?? d.list(...axesBehind(d, x as Value, 0))], {
      keepdims: Number(given.keepdims),
    });
    return after ? d.op(after, [sum]) : sum;
  };

/** Operators that are expressed by other ONNX operators before the conversion to TensorFlow's. */
export const LOWERINGS: Readonly<Record<string, Lowering>> = {
  ...windows,
  BatchNormalization: batchNormalization,
  LayerNormalization: layerNormalization,
  InstanceNormalization: instanceNormalization,
  Gemm: product,
  GlobalAveragePool: whole('ReduceMean'),
  GlobalMaxPool: whole('ReduceMax'),
  Softmax: behind('Softmax'),
  LogSoftmax: behind('LogSoftmax'),
  Flatten: flattened,
  Dropout: first,
  Identity: first,
  Sum: variadic('Add'),
  Max: variadic('Max'),
  Min: variadic('Min'),
  Mean: mean,
  HardSigmoid: hardSigmoid,
  HardSwish: hardSwish,
  Softsign: ([x], d) => d.op('Div', [x as Value, d.op('Add', [d.op('Abs', [x as Value]), number(d, 1)])]),
  ReduceL2: squares('ReduceSum', 'Sqrt'),
  ReduceSumSquare: squares('ReduceSum'),
};
