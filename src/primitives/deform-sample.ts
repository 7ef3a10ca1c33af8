import { coordinatesIn, stridesOf } from '../graph/dims.js';
import { differ } from '../graph/guards.js';
import { formatSize, modulo, multiply, type Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { int, ints } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';
import { crossed, linearTaps } from './grid-taps.js';
import { type AxisWindow, type KnownWindow, type WindowAttributes, windowsOf } from './window.js';

export const [X, OFFSET, MASK] = [0, 1, 2];

export interface DeformParameters {
  /** Number of groups; neighboring channels of a group share their offsets. */
  readonly offsetGroups: number;
  readonly windows: readonly KnownWindow[];
}

/** Position of a tap of a pixel along each axis: in X without its offset (`still`), and in the sampled image (`to`). */
const tapAt = (windows: readonly KnownWindow[], pixel: readonly number[], tap: readonly number[]) =>
  windows.map(({ kernel, stride, dilation, padBefore }, axis) => {
    const [p, k] = [pixel[axis] as number, tap[axis] as number];
    return { still: p * stride - padBefore + k * dilation, to: p * kernel + k };
  });

/**
 * Samples of X for the taps of a DeformConv, as an image [N, out · kernel…, C] for an ordinary convolution with stride = kernel. X [N,
 * spatial…, C], `offset` [N, out…, groups · taps · axes] and `mask` [N, out…, groups · taps] are channels-last.
 */
export const deformSampling: Primitive<DeformParameters> = {
  name: 'deformSampling',
  facts: { layout: 'channels-last' },
  reference(c, { offsetGroups, windows }) {
    const { element, dims } = c.result(0);
    const [values, offsets] = [numbersOf(c.tensor(X)), numbersOf(c.tensor(OFFSET))];
    const masks = c.given(MASK) ? numbersOf(c.tensor(MASK)) : undefined;
    const channels = dims.at(-1) as number;
    const sizes = windows.map(({ size }) => size);
    const pixels = coordinatesIn([dims[0] as number, ...windows.map(({ out }) => out)]);
    const within = coordinatesIn(windows.map(({ kernel }) => kernel));
    const steps = stridesOf(dims);
    const y = new Float64Array(elementCount(dims));
    for (let tap = 0; tap < pixels.length * offsetGroups * within.length; tap++) {
      const [part, k] = [Math.floor(tap / within.length) % offsetGroups, tap % within.length];
      const [n, ...pixel] = pixels[Math.floor(tap / within.length / offsetGroups)] as [number, ...number[]];
      const along = tapAt(windows, pixel, within[k] as readonly number[]);
      const moved = along.map(({ still }, axis) =>
        linearTaps(still + (offsets[tap * windows.length + axis] as number), sizes[axis] as number),
      );
      const neighbors = crossed(moved, sizes);
      const to = along.reduce((sum, at, axis) => sum + at.to * (steps[axis + 1] as number), n * (steps[0] as number));
      const first = n * elementCount(sizes);
      const shared = channels / offsetGroups;
      for (let channel = part * shared; channel < (part + 1) * shared; channel++) {
        const valueAt = (at: number) => values[(first + at) * channels + channel] as number;
        const sum = neighbors.reduce((total, { at, weight }) => total + weight * valueAt(at), 0);
        y[to + channel] = sum * (masks ? (masks[tap] as number) : 1);
      }
    }
    return [tensorOf(element, dims, y)];
  },
};

type DeformAttributes = WindowAttributes & { readonly kernel_shape: readonly number[]; readonly offset_group: number };

const windowsIn = (c: Inference<DeformAttributes>) =>
  windowsOf(c, (c.dims(X) as readonly Size[]).slice(1, -1), c.attributes.kernel_shape);

/** Checks what could not be checked before the sizes were known. */
function checkOperands(c: Inference<DeformAttributes>, x: readonly Size[], windows: readonly AxisWindow[]): void {
  const { offset_group, kernel_shape } = c.attributes;
  const channels = x.at(-1) as Size;
  if (differ(modulo(channels, offset_group), 0))
    c.fail('INVALID_SHAPE', `${formatSize(channels)} channels cannot be split into ${offset_group} offset groups`);
  const pixels = [x[0], ...windows.map(({ out }) => out)];
  const taps = offset_group * elementCount(kernel_shape);
  requireDims(c, OFFSET, [...pixels, taps * windows.length]);
  requireDims(c, MASK, [...pixels, taps]);
}

export const deformSampleOperator = defineOp({
  domain: 'sardonyx',
  name: 'DeformSample',
  signature: 'X: T, offset: T, mask?: T -> image: T',
  types: { T: ['float32'] },
  attributes: {
    offset_group: int(1),
    kernel_shape: ints.required,
    strides: ints(),
    pads: ints(),
    dilations: ints(),
  },
  guarded: true,
  infer(c) {
    const x = c.dims(X);
    if (!x) return [tensorType(c.element(X))];
    const windows = windowsIn(c);
    checkOperands(c, x, windows);
    const sizes = windows.map(({ out, kernel }) => multiply(out, kernel));
    return [tensorType(c.element(X), [x[0] as Size, ...sizes, x.at(-1) as Size])];
  },
  computes: by(deformSampling, (c: Inference<DeformAttributes>) =>
    c.dims(X) ? { offsetGroups: c.attributes.offset_group, windows: windowsIn(c) as KnownWindow[] } : undefined,
  ),
});
