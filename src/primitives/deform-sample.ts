import { derived } from '../graph/dims.js';
import { type Dim, tensorType } from '../graph/types.js';
import { int, ints } from '../schema/attributes.js';
import { defineOp, type Inference } from '../schema/definition.js';
import { type WindowAttributes, windowsOf } from './window.js';

export const [X, OFFSET, MASK] = [0, 1, 2];

export function windowsIn(c: Inference<WindowAttributes & { readonly kernel_shape: readonly number[] }>) {
  return windowsOf(c, (c.dims(X) as readonly Dim[]).slice(1, -1), c.attributes.kernel_shape);
}

/**
 * What the taps of a DeformConv read of X [N, spatial…, C], `offset` and `mask` being channels-last too, as an image
 * [N, out · kernel…, C] that an ordinary convolution with stride = kernel goes over.
 */
export const deformSample = defineOp({
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
    if (!x) return [tensorType('float32')];
    const sizes = windowsIn(c).map(({ out, kernel }) => derived(`${kernel}*`, [out], (n) => n * kernel));
    return [tensorType('float32', [x[0] as Dim, ...sizes, x.at(-1) as Dim])];
  },
});
