import { type Dim, tensorType } from '../../graph/types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { int, ints } from '../attributes.js';
import { defineOp, type Inference } from '../definition.js';
import { grainOf } from '../grain.js';
import { type AxisWindow, volumeFields, type WindowAttributes, windowsOf } from './window.js';

const [X, OFFSET, MASK] = [0, 1, 2];

function windowsIn(c: Inference<WindowAttributes & { readonly kernel_shape: readonly number[] }>) {
  return windowsOf(c, (c.dims(X) as readonly Dim[]).slice(1, -1), c.attributes.kernel_shape);
}

const tapsOf = (windows: readonly AxisWindow[]) => windows.reduce((n, { kernel }) => n * kernel, 1);

/**
 * What the taps of a DeformConv read of X [N, spatial…, C], with `offset` and `mask` channels-last too: [N, spatial…,
 * taps · C], where the channels of each of `group` groups lie together as [taps, C / group].
 */
export const deformColumns = defineOp({
  domain: 'sardonyx',
  name: 'DeformColumns',
  signature: 'X: T, offset: T, mask?: T -> columns: T',
  types: { T: ['float32'] },
  attributes: {
    group: int(1),
    offset_group: int(1),
    kernel_shape: ints.required,
    strides: ints(),
    pads: ints(),
    dilations: ints(),
  },
  infer(c) {
    const x = c.dims(X);
    if (!x) return [tensorType('float32')];
    const windows = windowsIn(c);
    const channels = x.at(-1) as Dim;
    const width = typeof channels === 'number' ? channels * tapsOf(windows) : c.unknown();
    return [tensorType('float32', [x[0] as Dim, ...windows.map(({ out }) => out), width])];
  },
  lower(c): undefined {
    const windows = windowsIn(c);
    const [batch, channels] = [c.shape(X)[0] as number, c.shape(X).at(-1) as number];
    const columns = tapsOf(windows) * channels;
    const pixels = elementCount(c.outputShape(0).slice(0, -1));
    if (pixels * columns === 0) return;
    const tilePixels = grainOf(pixels, 4 * columns);
    const params = {
      ...volumeFields(windows),
      x: c.input(X),
      offset: c.input(OFFSET),
      mask: c.given(MASK) ? c.input(MASK) : 0,
      y: c.output(0),
      batch,
      channels,
      groups: c.attributes.group,
      offsetGroups: c.attributes.offset_group,
      axes: windows.length,
      tilePixels,
    };
    c.launch('deformableColumns', params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
  },
});
