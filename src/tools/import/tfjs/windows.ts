import type { Value } from '../../../graph/graph.js';
import { type Draft, refuse, type Settings } from './draft.js';
import { channelsFirst, channelsLast } from './permutation.js';

/** The window of a convolution or pooling layer over the spatial axes. */
export interface Window {
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  /** SAME, VALID, or the padding before and after each axis. */
  readonly padding: string | readonly (readonly [number, number])[];
  /** Whether channels are the last axis. */
  readonly isLast: boolean;
}

export const toFirst = (d: Draft, x: Value, isLast = true): Value =>
  isLast ? d.transpose(x, channelsFirst(d.rank(x))) : x;

export const toLast = (d: Draft, x: Value, isLast = true): Value =>
  isLast ? d.transpose(x, channelsLast(d.rank(x))) : x;

type Pair = readonly [number, number];
const halves = (total: number): Pair => [total >> 1, total - (total >> 1)];

/** The padding of an axis for TensorFlow's SAME; undefined if it depends on an unknown size. */
function samePads(size: unknown, kernel: number, stride: number, dilation: number): Pair | undefined {
  const extent = (kernel - 1) * dilation + 1;
  if (stride === 1) return halves(extent - 1);
  if (typeof size !== 'number') return undefined;
  return halves(Math.max(0, (Math.ceil(size / stride) - 1) * stride + extent - size));
}

/** Attributes of a windowed node. The channels of `x` are its second axis. */
function windowOf(d: Draft, x: Value, kernel: readonly number[], window: Window): Settings {
  const { strides, dilations, padding } = window;
  const shared = { strides, ...(dilations.some((dilation) => dilation !== 1) && { dilations }) };
  if (typeof padding !== 'string') return { ...shared, pads: flat(padding) };
  if (padding.toUpperCase() === 'VALID') return shared;
  if (padding.toUpperCase() !== 'SAME') return refuse(`unknown padding "${padding}"`);
  const sizes = d.dims(x)?.slice(2) ?? [];
  const pads = kernel.map((extent, i) => samePads(sizes[i], extent, strides[i] as number, dilations[i] as number));
  if (pads.every((pair) => pair !== undefined)) return { ...shared, pads: flat(pads) };
  if (dilations.every((dilation) => dilation === 1)) return { ...shared, auto_pad: 'SAME_UPPER' };
  return refuse('padding of dilated and strided windows needs known sizes');
}

const flat = (pairs: readonly Pair[]): number[] => [
  ...pairs.map(([before]) => before),
  ...pairs.map(([, after]) => after),
];

/** @param kernel [… window, channels in, channels out] */
export function convolved(d: Draft, x: Value, kernel: Value, bias: Value | null, window: Window): Value {
  const rank = d.rank(kernel);
  const axes = Array.from({ length: rank - 2 }, (_, i) => i);
  const weights = d.transpose(kernel, [rank - 1, rank - 2, ...axes]);
  return applied(d, x, weights, bias, window, 1);
}

/** @param kernel [height, width, channels in, multiplier] */
export function convolvedByChannels(d: Draft, x: Value, kernel: Value, bias: Value | null, window: Window): Value {
  const [height, width, channels, multiplier] = [0, 1, 2, 3].map((axis) => d.size(kernel, axis)) as [
    number,
    number,
    number,
    number,
  ];
  const weights = d.reshape(d.transpose(kernel, [2, 3, 0, 1]), channels * multiplier, 1, height, width);
  return applied(d, x, weights, bias, window, channels);
}

function applied(d: Draft, x: Value, weights: Value, bias: Value | null, window: Window, group: number): Value {
  const first = toFirst(d, x, window.isLast);
  const kernel = Array.from({ length: d.rank(weights) - 2 }, (_, i) => d.size(weights, i + 2));
  const settings = { ...windowOf(d, first, kernel, window), kernel_shape: kernel, ...(group > 1 && { group }) };
  return toLast(d, d.emit('Conv', bias ? [first, weights, bias] : [first, weights], settings), window.isLast);
}

/**
 * A transposed convolution.
 * @param kernel [… window, channels out, channels in]
 * @param sizes the sizes of the result, if known; otherwise as Keras computes them from the operand
 */
export function deconvolved(
  d: Draft,
  x: Value,
  kernel: Value,
  bias: Value | null,
  window: Window,
  sizes?: readonly (number | undefined)[],
): Value {
  const rank = d.rank(kernel);
  const axes = Array.from({ length: rank - 2 }, (_, i) => i);
  const first = toFirst(d, x, window.isLast);
  const weights = d.transpose(kernel, [rank - 1, rank - 2, ...axes]);
  const { strides, dilations, padding } = window;
  const isSame = typeof padding === 'string' && padding.toUpperCase() === 'SAME';
  const excess = axes.map((axis) => {
    const [stride, dilation] = [strides[axis] as number, dilations[axis] as number];
    const extent = (d.size(kernel, axis) - 1) * dilation + 1;
    const size = d.dims(first)?.[axis + 2];
    const wanted = sizes?.[axis];
    const isExact = typeof size === 'number' && wanted !== undefined;
    if (isExact) return (size - 1) * stride + extent - wanted;
    return isSame ? extent - stride : Math.min(0, extent - stride);
  });
  const pads = flat(excess.map((total, axis) => explicit(padding, axis) ?? halves(Math.max(0, total))));
  const output_padding = excess.map((total) => Math.max(0, -total));
  const settings = { strides, dilations, pads, ...(output_padding.some(Boolean) && { output_padding }) };
  const result = d.emit('ConvTranspose', bias ? [first, weights, bias] : [first, weights], settings);
  return toLast(d, result, window.isLast);
}

const explicit = (padding: Window['padding'], axis: number): Pair | undefined =>
  typeof padding === 'string' ? undefined : padding[axis];

export function pooled(
  d: Draft,
  op: 'MaxPool' | 'AveragePool',
  x: Value,
  kernel: readonly number[],
  window: Window,
): Value {
  const first = toFirst(d, x, window.isLast);
  const settings = { ...windowOf(d, first, kernel, window), kernel_shape: kernel };
  return toLast(d, d.emit(op, [first], settings), window.isLast);
}

/** @param scale and the others: [channels] */
export function normalized(
  d: Draft,
  x: Value,
  [scale, offset, mean, variance]: readonly [Value, Value, Value, Value],
  epsilon: Settings[string],
  isLast = true,
): Value {
  const first = toFirst(d, x, isLast && d.rank(x) > 2);
  const result = d.emit('BatchNormalization', [first, scale, offset, mean, variance], { epsilon });
  return toLast(d, result, isLast && d.rank(x) > 2);
}

/** @param size int64 [2]: height and width */
export function resized(d: Draft, x: Value, size: Value, settings: Settings): Value {
  const first = toFirst(d, x);
  const kept = d.slice(d.shape(first), 0, 0, 2);
  return toLast(d, d.emit('Resize', [first, null, null, d.emit('Concat', [kept, size], { axis: 0 })], settings));
}
