import { differ } from '../graph/guards.js';
import { formatSize, isKnown, modulo, type Size } from '../graph/sizes.js';
import type { Inference } from '../schema/definition.js';
import { type AxisWindow, type WindowAttributes, windowsOf } from './window.js';

export interface ConvAttributes extends WindowAttributes {
  readonly group: number;
  readonly kernel_shape: readonly number[] | undefined;
}

export interface ConvGeometry {
  readonly batch: Size;
  readonly channels: number;
  readonly outChannels: Size;
  readonly windows: readonly AxisWindow[];
}

/** Geometry from the dims of X, given as [N, C, spatial…], and of the weights, or undefined while too little is known. */
export function geometryOf(
  c: Inference<ConvAttributes>,
  x: readonly Size[] | undefined,
  w: readonly Size[] | undefined,
): ConvGeometry | undefined {
  if (!x || !w) return undefined;
  if (x.length < 3 || w.length !== x.length) c.fail('INVALID_SHAPE', `convolves [${x}] with weights [${w}]`);
  if (!isKnown(w.slice(1))) return undefined;
  const [outChannels, groupChannels, ...kernel] = w as readonly [Size, number, ...number[]];
  const { group, kernel_shape } = c.attributes;
  const channels = groupChannels * group;
  if (differ(x[1], channels)) {
    c.fail('INVALID_SHAPE', `X has ${formatSize(x[1])} channels; weights [${w}] in ${group} groups take ${channels}`);
  }
  if (differ(modulo(outChannels, group), 0))
    c.fail('INVALID_SHAPE', `${formatSize(outChannels)} output channels do not divide into ${group} groups`);
  if (kernel_shape && String(kernel_shape) !== String(kernel)) {
    c.fail('INVALID_ATTRIBUTE', `kernel_shape [${kernel_shape}] is not that of the weights, [${kernel}]`);
  }
  return {
    batch: x[0] as Size,
    channels,
    outChannels,
    windows: windowsOf(c, x.slice(2), kernel),
  };
}

/** Dims of the result, [N, M, spatial…]; only the rank is known if the dims of the weights are not. */
export function convDims(
  c: Inference<ConvAttributes>,
  x: readonly Size[] | undefined,
  w: readonly Size[] | undefined,
): Size[] | undefined {
  const g = geometryOf(c, x, w);
  if (!g) return x && w && [x[0] as Size, w[0] as Size, ...x.slice(2).map(() => c.unknown())];
  return [g.batch, g.outChannels, ...g.windows.map((window) => window.out)];
}
