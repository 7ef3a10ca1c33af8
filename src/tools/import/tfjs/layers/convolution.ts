import type { Value } from '../../../../graph/graph.js';
import { convolved, convolvedByChannels, deconvolved, pooled, type Window } from '../windows.js';
import { activated } from './activations.js';
import { type Call, flag, isLast, type Layer, type Layers, numbers, text } from './layer.js';

/** The number of spatial axes. */
const innerOf = ({ d, x }: Call): number => d.rank(x) - 2;

function windowOf(call: Call): Window {
  const { config } = call;
  const count = innerOf(call);
  return {
    strides: numbers(config, 'strides', count),
    dilations: numbers(config, 'dilation_rate', count),
    padding: text(config, 'padding', 'valid'),
    isLast: isLast(config),
  };
}

/** Replaces causal padding by explicit padding before the first element. */
function causal(window: Window, kernel: number): Window {
  if (window.padding !== 'causal') return window;
  return { ...window, padding: [[(kernel - 1) * (window.dilations[0] as number), 0]] };
}

const biasOf = ({ find }: Call): Value | null => find('bias') ?? null;

const convolution: Layer = (call) => {
  const { d, x, config, weight } = call;
  const kernel = weight('kernel');
  return activated(d, convolved(d, x, kernel, biasOf(call), causal(windowOf(call), d.size(kernel, 0))), config);
};

const transposed: Layer = (call) =>
  activated(call.d, deconvolved(call.d, call.x, call.weight('kernel'), biasOf(call), windowOf(call)), call.config);

const depthwise: Layer = (call) => {
  const result = convolvedByChannels(call.d, call.x, call.weight('depthwise_kernel'), biasOf(call), windowOf(call));
  return activated(call.d, result, call.config);
};

const separable: Layer = (call) => {
  const { d, x, config, weight } = call;
  const window = windowOf(call);
  const apart = convolvedByChannels(d, x, weight('depthwise_kernel'), null, window);
  const single = [1, 1];
  const point: Window = { strides: single, dilations: single, padding: 'valid', isLast: window.isLast };
  return activated(d, convolved(d, apart, weight('pointwise_kernel'), biasOf(call), point), config);
};

const pool =
  (op: 'MaxPool' | 'AveragePool'): Layer =>
  (call) => {
    const { d, x, config } = call;
    const size = numbers(config, 'pool_size', innerOf(call), 2);
    const strides = config.strides ? numbers(config, 'strides', innerOf(call)) : size;
    return pooled(d, op, x, size, {
      ...windowOf({ ...call, config: { ...config, strides } }),
      dilations: size.map(() => 1),
    });
  };

const whole =
  (op: 'ReduceMax' | 'ReduceMean'): Layer =>
  ({ d, x, config }) => {
    const begin = isLast(config) ? 1 : 2;
    const axes = Array.from({ length: d.rank(x) - 2 }, (_, i) => i + begin);
    return d.op(op, [x, d.list(...axes)], { keepdims: Number(flag(config, 'keepdims')) });
  };

const ranks = (name: string, layer: Layer): Layers =>
  Object.fromEntries([1, 2, 3].map((rank) => [name.replace('#', `${rank}D`), layer]));

export const windows: Layers = {
  ...ranks('Conv#', convolution),
  ...ranks('Conv#Transpose', transposed),
  ...ranks('MaxPooling#', pool('MaxPool')),
  ...ranks('AveragePooling#', pool('AveragePool')),
  ...ranks('GlobalMaxPooling#', whole('ReduceMax')),
  ...ranks('GlobalAveragePooling#', whole('ReduceMean')),
  DepthwiseConv2D: depthwise,
  SeparableConv2D: separable,
};
