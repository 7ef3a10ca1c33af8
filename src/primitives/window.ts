import { isAtMost } from '../graph/guards.js';
import {
  add,
  ceilDivide,
  floorDivide,
  formatSize,
  maximum,
  minimum,
  multiply,
  type Size,
  subtract,
} from '../graph/sizes.js';
import { int, ints, oneOf } from '../schema/attributes.js';
import type { Inference } from '../schema/definition.js';

/** Attributes of convolution and pooling windows. */
export const windowAttributes = {
  auto_pad: oneOf('NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID'),
  strides: ints(),
  pads: ints(),
  dilations: ints(),
};

export const convAttributes = { ...windowAttributes, group: int(1), kernel_shape: ints() };

export const poolAttributes = { ...windowAttributes, kernel_shape: ints.required, ceil_mode: int(0) };

export interface WindowAttributes {
  readonly auto_pad?: string;
  readonly strides: readonly number[] | undefined;
  readonly pads: readonly number[] | undefined;
  readonly dilations: readonly number[] | undefined;
  readonly ceil_mode?: number;
}

/** The window along one spatial axis. */
export interface AxisWindow {
  readonly size: Size;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly padBefore: Size;
  readonly padAfter: Size;
  readonly out: Size;
}

/** The window along every spatial axis. */
export function windowsOf(
  c: Inference<WindowAttributes>,
  spatial: readonly Size[],
  kernel: readonly number[],
): AxisWindow[] {
  checkWindow(c, spatial.length, kernel);
  return spatial.map((size, i) => axisWindow(c, size, kernel[i] as number, i, spatial.length));
}

/** Checks that the attributes have an entry for each axis, and that the entries are valid. */
export function checkWindow(c: Inference<WindowAttributes>, rank: number, kernel: readonly number[]): void {
  const { strides, pads, dilations } = c.attributes;
  for (const [name, list, length] of [
    ['strides', strides, rank],
    ['dilations', dilations, rank],
    ['pads', pads, 2 * rank],
    ['kernel_shape', kernel, rank],
  ] as const) {
    if (list && list.length !== length) c.fail('INVALID_ATTRIBUTE', `${name} [${list}] must have ${length} entries`);
  }
  if ([...(strides ?? []), ...(dilations ?? []), ...kernel].some((x) => x < 1)) {
    c.fail('INVALID_ATTRIBUTE', 'kernel_shape, strides and dilations must be at least 1');
  }
}

function axisWindow(
  c: Inference<WindowAttributes>,
  size: Size,
  kernel: number,
  axis: number,
  rank: number,
): AxisWindow {
  const { auto_pad = 'NOTSET', strides, pads, dilations, ceil_mode } = c.attributes;
  const stride = strides?.[axis] ?? 1;
  const dilation = dilations?.[axis] ?? 1;
  const reach = dilation * (kernel - 1) + 1;
  const base = { size, kernel, stride, dilation };
  if (auto_pad.startsWith('SAME')) {
    const out = ceilDivide(size, stride);
    const total = maximum(subtract(add(multiply(add(out, -1), stride), reach), size), 0);
    const [small, large] = [floorDivide(total, 2), ceilDivide(total, 2)];
    const upper = auto_pad === 'SAME_UPPER';
    return { ...base, padBefore: upper ? small : large, padAfter: upper ? large : small, out };
  }
  const explicit = auto_pad !== 'VALID';
  const padBefore = explicit ? (pads?.[axis] ?? 0) : 0;
  const padAfter = explicit ? (pads?.[axis + rank] ?? 0) : 0;
  const room = add(size, padBefore + padAfter - reach);
  if (isAtMost(room, ceil_mode ? -2 * stride : -1))
    c.fail(
      'INVALID_SHAPE',
      `a window of ${reach} does not fit into ${formatSize(size)} + ${padBefore + padAfter} of padding`,
    );
  if (!ceil_mode) return { ...base, padBefore, padAfter, out: add(floorDivide(room, stride), 1) };
  // Omits a last window that would start in the padding at the end.
  const last = ceilDivide(room, stride);
  const starts = ceilDivide(add(size, padBefore), stride);
  return { ...base, padBefore, padAfter, out: maximum(last, minimum(add(last, 1), starts)) };
}

/** A window with known sizes. */
export interface KnownWindow extends AxisWindow {
  readonly size: number;
  readonly padBefore: number;
  readonly padAfter: number;
  readonly out: number;
}

/** Whether kernels support tensors of this rank: at most three spatial axes. */
export const hasWindowKernel = (rank: number): boolean => rank <= 5;
