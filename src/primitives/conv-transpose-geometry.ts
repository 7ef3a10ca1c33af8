import { differ, isAtMost } from '../graph/guards.js';
import {
  add,
  ceilDivide,
  floorDivide,
  formatSize,
  isKnown,
  maximum,
  multiply,
  type Size,
  subtract,
} from '../graph/sizes.js';
import { int, ints } from '../schema/attributes.js';
import type { Inference } from '../schema/definition.js';
import { type AxisWindow, checkWindow, type WindowAttributes, windowAttributes } from './window.js';

export const convTransposeAttributes = {
  ...windowAttributes,
  group: int(1),
  kernel_shape: ints(),
  output_padding: ints(),
  output_shape: ints(),
};

export interface ConvTransposeAttributes extends WindowAttributes {
  readonly group: number;
  readonly kernel_shape: readonly number[] | undefined;
  readonly output_padding: readonly number[] | undefined;
  readonly output_shape: readonly number[] | undefined;
}

export interface Geometry {
  readonly batch: Size;
  readonly channels: number;
  readonly outChannels: number;
  readonly windows: readonly AxisWindow[];
}

/** Geometry from the dims of input 0, given as [N, C, spatial…], and of the weights [C, M / group, kernel…]. */
export function transposedGeometry(
  c: Inference<ConvTransposeAttributes>,
  x: readonly Size[] | undefined,
): Geometry | undefined {
  const w = c.dims(1);
  if (!x || !w) return undefined;
  if (x.length < 3 || w.length !== x.length) c.fail('INVALID_SHAPE', `convolves [${x}] with weights [${w}]`);
  const { group, kernel_shape } = c.attributes;
  const weights = w.map((d, i) => (typeof d === 'number' ? d : (kernel_shape?.[i - 2] ?? d)));
  if (!isKnown(weights)) return undefined;
  const [channels, groupChannels, ...kernel] = weights as [number, number, ...number[]];
  if (differ(x[1], channels))
    c.fail('INVALID_SHAPE', `X has ${formatSize(x[1])} channels; weights [${w}] take ${channels}`);
  if (channels % group !== 0) c.fail('INVALID_SHAPE', `${channels} channels do not divide into ${group} groups`);
  if (kernel_shape && String(kernel_shape) !== String(kernel)) {
    c.fail('INVALID_ATTRIBUTE', `kernel_shape [${kernel_shape}] is not that of the weights, [${kernel}]`);
  }
  const spatial = x.slice(2);
  checkWindow(c, spatial.length, kernel);
  for (const [name, least] of [
    ['output_padding', 0],
    ['output_shape', 1],
  ] as const) {
    const list = c.attributes[name];
    if (list && (list.length < spatial.length || list.some((n) => n < least)))
      c.fail('INVALID_ATTRIBUTE', `${name} [${list}] must have ${spatial.length} entries from ${least} on`);
  }
  const windows = spatial.map((size, axis) => transposedWindow(c, size, kernel[axis] as number, axis, spatial.length));
  return { batch: x[0] as Size, channels, outChannels: groupChannels * group, windows };
}

/** The window along one axis. `size` is the input's, `out` the result's. */
function transposedWindow(
  c: Inference<ConvTransposeAttributes>,
  size: Size,
  kernel: number,
  axis: number,
  rank: number,
): AxisWindow {
  const { auto_pad = 'NOTSET', strides, pads, dilations, output_padding, output_shape } = c.attributes;
  const stride = strides?.[axis] ?? 1;
  const dilation = dilations?.[axis] ?? 1;
  const extra = output_padding?.[axis] ?? 0;
  const unpadded = (n: Size) => add(multiply(add(n, -1), stride), extra + (kernel - 1) * dilation + 1);
  const base = { size, kernel, stride, dilation };
  const same = auto_pad.startsWith('SAME');
  if (!same && !output_shape) {
    const [padBefore, padAfter] = auto_pad === 'VALID' ? [0, 0] : [pads?.[axis] ?? 0, pads?.[axis + rank] ?? 0];
    const whole = unpadded(size);
    const out = subtract(whole, padBefore + padAfter);
    if (isAtMost(out, 0))
      c.fail('INVALID_SHAPE', `pads [${padBefore}, ${padAfter}] leave nothing of ${formatSize(whole)} elements`);
    return { ...base, padBefore, padAfter, out };
  }
  const out = output_shape?.at(axis - rank) ?? multiply(size, stride);
  const total = maximum(0, subtract(unpadded(size), out));
  const [small, large] = [floorDivide(total, 2), ceilDivide(total, 2)];
  const upper = auto_pad === 'SAME_UPPER';
  return { ...base, padBefore: upper ? small : large, padAfter: upper ? large : small, out };
}
