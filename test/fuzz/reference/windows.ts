import { int, ints, type ReferenceNode, text } from './definition.js';
import { steps, stridesOf, sums } from './offsets.js';

/** One spatial axis of a sliding window. */
export interface Axis {
  readonly size: number;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly padBegin: number;
  readonly padEnd: number;
  /** How many windows. */
  readonly out: number;
}

export const extentOf = (kernel: number, dilation: number): number => (kernel - 1) * dilation + 1;

const samePadding = (size: number, extent: number, stride: number, isUpper: boolean) => {
  const out = Math.ceil(size / stride);
  const total = Math.max((out - 1) * stride + extent - size, 0);
  const less = Math.floor(total / 2);
  return isUpper ? { out, padBegin: less, padEnd: total - less } : { out, padBegin: total - less, padEnd: less };
};

/** A window that would start in the padding at the end is left out. */
function ceiledCount(size: number, extent: number, stride: number, padBegin: number, padEnd: number): number {
  const out = Math.ceil((size + padBegin + padEnd - extent) / stride) + 1;
  return (out - 1) * stride >= size + padBegin ? out - 1 : out;
}

/** The axes of convolution and pooling over an input of these spatial sizes. */
export function axesOf(node: ReferenceNode, sizes: readonly number[], kernels: readonly number[]): Axis[] {
  const strides = ints(node, 'strides');
  const dilations = ints(node, 'dilations');
  const pads = ints(node, 'pads');
  const auto = text(node, 'auto_pad', 'NOTSET');
  const isCeiled = int(node, 'ceil_mode', 0) !== 0;
  return sizes.map((size, i) => {
    const [kernel = 1, stride = 1, dilation = 1] = [kernels[i], strides?.[i], dilations?.[i]];
    const extent = extentOf(kernel, dilation);
    const fixed = { size, kernel, stride, dilation };
    if (auto.startsWith('SAME')) return { ...fixed, ...samePadding(size, extent, stride, auto === 'SAME_UPPER') };
    const explicit = auto === 'VALID' ? undefined : pads;
    const [padBegin = 0, padEnd = 0] = [explicit?.[i], explicit?.[sizes.length + i]];
    const floored = Math.floor((size + padBegin + padEnd - extent) / stride) + 1;
    const out = isCeiled ? ceiledCount(size, extent, stride, padBegin, padEnd) : floored;
    return { ...fixed, padBegin, padEnd, out };
  });
}

/** What a place of a window holds that holds no element of the input: padding, or what lies beyond it. */
export const PADDING = -1;
const BEYOND = -2;

export interface Windows {
  /** The spatial element at each place of the padded volume, or PADDING, or BEYOND. */
  readonly source: Float64Array;
  /** Where each window starts in the padded volume. */
  readonly starts: Float64Array;
  /** Distance of each place of a window from its start. */
  readonly places: Float64Array;
}

/** All windows over a spatial volume. */
export function windowsOver(axes: readonly Axis[]): Windows {
  const lengths = axes.map(({ out, stride, kernel, dilation }) => (out - 1) * stride + extentOf(kernel, dilation));
  const strides = stridesOf(axes.map(({ size }) => size));
  const padded = stridesOf(lengths);
  const source = sums(axes.map((axis, i) => placesOf(axis, lengths[i] as number, strides[i] as number)));
  for (let i = 0; i < source.length; i++) {
    const at = source[i] as number;
    if (at < 0) source[i] = at === Number.NEGATIVE_INFINITY ? BEYOND : PADDING;
  }
  return {
    source,
    starts: sums(axes.map(({ out, stride }, i) => steps(out, stride * (padded[i] as number)))),
    places: sums(axes.map(({ kernel, dilation }, i) => steps(kernel, dilation * (padded[i] as number)))),
  };
}

/** Far below what any offset can make up for. */
const OUTSIDE = -(2 ** 40);

const placesOf = ({ size, padBegin, padEnd }: Axis, length: number, stride: number): number[] =>
  Array.from({ length: Math.max(length, 0) }, (_, i) => {
    const at = i - padBegin;
    if (at >= size + padEnd) return Number.NEGATIVE_INFINITY;
    return at < 0 || at >= size ? OUTSIDE : at * stride;
  });
