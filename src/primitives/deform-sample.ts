import { coordinatesIn, derived, stridesOf } from '../graph/dims.js';
import { type Dim, tensorType } from '../graph/types.js';
import { int, ints } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';
import { crossed, linearTaps } from './grid-taps.js';
import { type KnownWindow, type WindowAttributes, windowsOf } from './window.js';

export const [X, OFFSET, MASK] = [0, 1, 2];

export interface DeformParameters {
  /** Neighbouring channels that are moved together are one group. */
  readonly offsetGroups: number;
  readonly windows: readonly KnownWindow[];
}

/**
 * What the taps of a DeformConv read of X [N, spatial…, C], `offset` [N, out…, groups · taps · axes] and `mask` [N, out…,
 * groups · taps] being channels-last too, as an image [N, out · kernel…, C] that an ordinary convolution with stride =
 * kernel goes over.
 */
export const deformSampling: Primitive<DeformParameters> = {
  name: 'deformSampling',
  facts: { layout: 'channels-last' },
  reference(c, { offsetGroups, windows }) {
    const { element, dims } = c.result(0);
    const [values, offsets] = [numbersOf(c.tensor(X)), numbersOf(c.tensor(OFFSET))];
    const masks = c.given(MASK) ? numbersOf(c.tensor(MASK)) : undefined;
    const [batch, channels] = [dims[0] as number, dims.at(-1) as number];
    const sizes = windows.map(({ size }) => size);
    const [places, within] = [coordinatesIn(windows.map((w) => w.out)), coordinatesIn(windows.map((w) => w.kernel))];
    const shared = channels / offsetGroups;
    const steps = stridesOf(dims.slice(0, -1));
    const y = new Float64Array(elementCount(dims));
    /** What tap `k` of pixel `p` in image `n` reads of each channel of a group. */
    const readTap = (n: number, p: number, part: number, k: number): void => {
      const tap = ((n * places.length + p) * offsetGroups + part) * within.length + k;
      const moved = windows.map(({ stride, dilation, padBefore, size }, axis) => {
        const still = (places[p]?.[axis] as number) * stride - padBefore + (within[k]?.[axis] as number) * dilation;
        return linearTaps(still + (offsets[tap * windows.length + axis] as number), size);
      });
      const along = windows.map(
        ({ kernel }, axis) => (places[p]?.[axis] as number) * kernel + (within[k]?.[axis] as number),
      );
      const to = along.reduce((sum, at, axis) => sum + at * (steps[axis + 1] as number), n * (steps[0] as number));
      const neighbors = crossed(moved, sizes);
      for (let channel = part * shared; channel < (part + 1) * shared; channel++) {
        const from = (at: number) => values[(n * elementCount(sizes) + at) * channels + channel] as number;
        const sum = neighbors.reduce((total, { at, weight }) => total + weight * from(at), 0);
        y[to * channels + channel] = sum * (masks ? (masks[tap] as number) : 1);
      }
    };
    for (let n = 0; n < batch; n++)
      for (let p = 0; p < places.length; p++)
        for (let part = 0; part < offsetGroups; part++) for (let k = 0; k < within.length; k++) readTap(n, p, part, k);
    return [tensorOf(element, dims, y)];
  },
};

type DeformAttributes = WindowAttributes & { readonly kernel_shape: readonly number[]; readonly offset_group: number };

const windowsIn = (c: Inference<DeformAttributes>) =>
  windowsOf(c, (c.dims(X) as readonly Dim[]).slice(1, -1), c.attributes.kernel_shape);

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
  infer(c) {
    const x = c.dims(X);
    if (!x) return [tensorType(c.element(X))];
    const sizes = windowsIn(c).map(({ out, kernel }) => derived(`${kernel}*`, [out], (n) => n * kernel));
    return [tensorType(c.element(X), [x[0] as Dim, ...sizes, x.at(-1) as Dim])];
  },
  computes: by(deformSampling, (c: Inference<DeformAttributes>) =>
    c.dims(X) ? { offsetGroups: c.attributes.offset_group, windows: windowsIn(c) as KnownWindow[] } : undefined,
  ),
});
