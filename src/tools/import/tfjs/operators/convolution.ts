import type { Value } from '../../../../graph/graph.js';
import { type Draft, float, refuse } from '../draft.js';
import type { Attributes } from '../graph-def.js';
import {
  convolved,
  convolvedByChannels,
  deconvolved,
  normalized,
  pooled,
  toFirst,
  toLast,
  type Window,
} from '../windows.js';
import { activated } from './arithmetic.js';
import type { Operands, Operator, Operators } from './operator.js';

/** Reads the window. Lists have entries for all axes, including batch and channels. */
function windowOf(a: Attributes, rank: number): Window {
  const isLast = !/^NC/.test(a.text('data_format', 'NHWC'));
  const inner = (list: readonly number[]) =>
    list.length === 0 ? new Array(rank - 2).fill(1) : isLast ? list.slice(1, -1) : list.slice(2);
  const explicit = a.numbers('explicit_paddings');
  const pairs = inner(explicit.flatMap((before, i) => (i % 2 ? [] : [[before, explicit[i + 1]] as never])));
  const padding = a.text('padding', 'VALID').toUpperCase();
  return {
    strides: inner(a.numbers('strides')),
    dilations: inner(a.numbers('dilations')),
    padding: padding === 'EXPLICIT' ? (pairs as never) : padding,
    isLast,
  };
}

type Convolution = typeof convolved;

/** A node with fused operators, whose operands follow the kernel. */
const fused =
  (convolution: Convolution): Operator =>
  ([x, kernel, ...others], d, a) => {
    const window = windowOf(a, d.rank(kernel));
    const steps = a.texts('fused_ops');
    const hasBias = steps[0] === 'BiasAdd';
    const result = convolution(d, x, kernel, hasBias ? (others[0] as Value) : null, window);
    return afterwards(d, result, steps.slice(Number(hasBias)), others.slice(Number(hasBias)), a);
  };

function afterwards(d: Draft, x: Value, steps: readonly string[], operands: readonly Value[], a: Attributes): Value {
  return steps.reduce((value, step) => {
    if (step === 'FusedBatchNorm')
      return normalized(
        d,
        value,
        operands as unknown as Parameters<typeof normalized>[2],
        float(a.number('epsilon', 1e-4)),
      );
    const alpha = a.number('leakyrelu_alpha', 0.2);
    return activated(d, value, step, { alpha, ...(operands[0] && { slope: operands[0] }) });
  }, x);
}

const plain =
  (convolution: Convolution): Operator =>
  ([x, kernel], d, a) =>
    convolution(d, x, kernel, null, windowOf(a, d.rank(kernel)));

function along(d: Draft, a: Attributes, [x, kernel]: Operands): Value {
  const strides = [a.number('stride', 1)];
  const dilations = [a.number('dilation', 1)];
  return convolved(d, x, kernel, null, {
    strides,
    dilations,
    padding: a.text('padding'),
    isLast: a.text('data_format', 'NWC') === 'NWC',
  });
}

/** The input gradient of a convolution, with the given output sizes. */
function gradient([sizes, kernel, x]: Operands, d: Draft, a: Attributes): Value {
  const window = windowOf(a, d.rank(kernel));
  const given = d.fact(sizes).sizes?.map((size) => (typeof size === 'number' && size > 0 ? size : undefined));
  return deconvolved(d, x, kernel, null, window, window.isLast ? given?.slice(1, -1) : given?.slice(2));
}

const pool =
  (op: 'MaxPool' | 'AveragePool'): Operator =>
  ([x], d, a) => {
    const window = windowOf(a, d.rank(x));
    const kernel = a.numbers('ksize');
    return pooled(d, op, x, window.isLast ? kernel.slice(1, -1) : kernel.slice(2), window);
  };

function normalization([x, scale, offset, mean, variance]: Operands, d: Draft, a: Attributes): readonly Value[] {
  if (a.flag('is_training')) refuse('is_training=true is not supported');
  const isLast = a.text('data_format', 'NHWC') === 'NHWC';
  return [normalized(d, x, [scale, offset, mean, variance], float(a.number('epsilon', 1e-3)), isLast), mean, variance];
}

export function localNormalization([x]: Operands, d: Draft, a: Attributes): Value {
  const size = 2 * a.number('depth_radius', 5) + 1;
  const settings = {
    size,
    bias: float(a.number('bias', 1)),
    alpha: float(a.number('alpha', 1) * size),
    beta: float(a.number('beta', 0.5)),
  };
  return toLast(d, d.emit('LRN', [toFirst(d, x)], settings));
}

export const convolution: Operators = {
  Conv1D: (operands, d, a) => along(d, a, operands),
  Conv2D: plain(convolved),
  Conv3D: plain(convolved),
  DepthwiseConv2d: plain(convolvedByChannels),
  DepthwiseConv2dNative: plain(convolvedByChannels),
  _FusedConv2D: fused(convolved),
  FusedDepthwiseConv2dNative: fused(convolvedByChannels),
  Conv2DBackpropInput: gradient,
  AvgPool: pool('AveragePool'),
  AvgPool3D: pool('AveragePool'),
  MaxPool: pool('MaxPool'),
  MaxPool3D: pool('MaxPool'),
  FusedBatchNorm: normalization,
  FusedBatchNormV2: normalization,
  FusedBatchNormV3: normalization,
  LRN: localNormalization,
  EuclideanNorm: ([x, axes], d, a) => d.op('ReduceL2', [x, d.long(axes)], { keepdims: Number(a.flag('keep_dims')) }),
  Softmax: ([x], d) => d.op('Softmax', [x], { axis: -1 }),
  LogSoftmax: ([x], d) => d.op('LogSoftmax', [x], { axis: -1 }),
};

export { afterwards };
