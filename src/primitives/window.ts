import { derived } from '../graph/dims.js';
import type { Dim } from '../graph/types.js';
import { int, ints, oneOf } from '../schema/attributes.js';
import type { Inference } from '../schema/definition.js';

/** How a convolution or pooling window moves over the spatial axes. */
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
  readonly size: Dim;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly padBefore: number;
  readonly padAfter: number;
  readonly out: Dim;
}

/** The window along every spatial axis; pads of an `auto_pad` are known where the size is. */
export function windowsOf(
  c: Inference<WindowAttributes>,
  spatial: readonly Dim[],
  kernel: readonly number[],
): AxisWindow[] {
  checkWindow(c, spatial.length, kernel);
  return spatial.map((size, i) => axisWindow(c, size, kernel[i] as number, i, spatial.length));
}

/** Checks that the attributes have an entry for each axis, and that these are possible. */
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

function axisWindow(c: Inference<WindowAttributes>, size: Dim, kernel: number, axis: number, rank: number): AxisWindow {
  const { auto_pad = 'NOTSET', strides, pads, dilations, ceil_mode } = c.attributes;
  const stride = strides?.[axis] ?? 1;
  const dilation = dilations?.[axis] ?? 1;
  const reach = dilation * (kernel - 1) + 1;
  const base = { size, kernel, stride, dilation };
  if (auto_pad.startsWith('SAME')) {
    const out = derived(`ceil/${stride}`, [size], (n) => Math.ceil(n / stride));
    const total = typeof size === 'number' ? Math.max(((out as number) - 1) * stride + reach - size, 0) : 0;
    const [small, large] = [Math.floor(total / 2), Math.ceil(total / 2)];
    const upper = auto_pad === 'SAME_UPPER';
    return { ...base, padBefore: upper ? small : large, padAfter: upper ? large : small, out };
  }
  const explicit = auto_pad !== 'VALID';
  const padBefore = explicit ? (pads?.[axis] ?? 0) : 0;
  const padAfter = explicit ? (pads?.[axis + rank] ?? 0) : 0;
  const name = `window${kernel}/${stride}*${dilation}+${padBefore}+${padAfter}${ceil_mode ? 'c' : ''}`;
  const out = derived(name, [size], (n) => {
    const room = n + padBefore + padAfter - reach;
    const last = ceil_mode ? Math.ceil(room / stride) : Math.floor(room / stride);
    if (ceil_mode ? last < -1 : room < 0)
      c.fail('INVALID_SHAPE', `a window of ${reach} does not fit into ${n} + ${padBefore + padAfter} of padding`);
    return ceil_mode && last * stride >= n + padBefore ? last : last + 1;
  });
  return { ...base, padBefore, padAfter, out: out === size ? size : isSame(base, padBefore, padAfter) ? size : out };
}

/** Windows that keep the size whatever it is. */
const isSame = (
  { kernel, stride, dilation }: { kernel: number; stride: number; dilation: number },
  before: number,
  after: number,
) => stride === 1 && before + after === dilation * (kernel - 1);

/** A window whose sizes are numbers. */
export interface KnownWindow extends AxisWindow {
  readonly size: number;
  readonly out: number;
}

/** Whether kernels serve tensors of this rank: they know windows over at most three spatial axes. */
export const hasWindowKernel = (rank: number): boolean => rank <= 5;
