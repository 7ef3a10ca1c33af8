import { grainOf } from '../../backends/wasm/lower/grain.js';
import { derived } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { int, ints } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { type KnownWindow, volumeFields, type WindowAttributes, windowsOf } from './window.js';

const [X, OFFSET, MASK] = [0, 1, 2];

function windowsIn(c: Inference<WindowAttributes & { readonly kernel_shape: readonly number[] }>) {
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
  lower(c): undefined {
    const windows = windowsIn(c) as KnownWindow[];
    const [batch, channels] = [c.shape(X)[0] as number, c.shape(X).at(-1) as number];
    const pixels = batch * elementCount(windows.map(({ out }) => out));
    const size = elementCount(c.outputShape(0));
    if (size === 0) return;
    const tilePixels = grainOf(pixels, (4 * size) / pixels);
    const params = {
      ...volumeFields(windows),
      x: c.input(X),
      offset: c.input(OFFSET),
      mask: c.given(MASK) ? c.input(MASK) : 0,
      y: c.output(0),
      batch,
      channels,
      offsetGroups: c.attributes.offset_group,
      axes: windows.length,
      tilePixels,
    };
    c.launch('deformSample', params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
  },
});
