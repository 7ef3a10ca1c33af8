import { MatMulTile } from '../../../../build/kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, product, type Size } from '../../../graph/sizes.js';
import { type ConvTransposeParameters, transposedConvolution } from '../../../primitives/conv-transpose.js';
import type { AxisWindow } from '../../../primitives/window.js';
import { type Lowering, lowers } from '../lowering.js';
import { epilogueOf } from './epilogue.js';
import { packedInput } from './packed-input.js';
import { volumeFields } from './window-fields.js';

/** A transposed convolution whose batch and spatial sizes may be symbolic. */
type OpenParameters = Omit<ConvTransposeParameters, 'batch' | 'windows'> & {
  readonly batch: Size;
  readonly windows: readonly AxisWindow[];
};

function lowerTransposed(c: Lowering, parameters: OpenParameters): undefined {
  const { batch, channels, outChannels, group: groups, windows } = parameters;
  if (isSame(product(c.outputShape(0)), 0)) return;
  const [strides, dilations] = [windows.map(({ stride }) => stride), windows.map(({ dilation }) => dilation)];
  const volume = volumeFields(windows);
  const { kernelDepth, kernelHeight, kernelWidth, strideDepth, strideHeight, strideWidth } = volume;
  const { dilationDepth, dilationHeight, dilationWidth } = volume;
  const shape = { groups, channels: channels / groups, outChannels: outChannels / groups };
  const panels = groups * Math.ceil(shape.outChannels / MatMulTile.Panel);
  const taps = kernelDepth * kernelHeight * kernelWidth;
  const w = packedInput(c, 1, {
    kernel: 'packTransposedConvolution',
    form: `transposed /${strides} *${dilations} in ${groups}`,
    bytes: 4 * panels * MatMulTile.Panel * taps * shape.channels,
    tiles: panels,
    params: (source, packed) => ({
      w: source,
      packed,
      ...shape,
      kernelDepth,
      kernelHeight,
      kernelWidth,
      strideDepth,
      strideHeight,
      strideWidth,
      dilationDepth,
      dilationHeight,
      dilationWidth,
    }),
  });
  const params = {
    ...epilogueOf(c, parameters),
    ...volume,
    ...shape,
    x: c.input(0),
    w,
    y: c.output(0),
    batch,
    xPixelStride: channels,
    yPixelStride: outChannels,
    residualPixelStride: outChannels,
  };
  const lines = product([groups, batch, volume.outDepth, volume.outHeight]);
  const columns = ceilDivide(volume.outWidth, MatMulTile.Rows * strideWidth);
  const tiles = product([lines, columns, ceilDivide(shape.outChannels, MatMulTile.Columns)]);
  c.launch('transposedConvolution', params, tiles, { writes: [params.y] });
}

export const transposedConvolutions = lowers(transposedConvolution, lowerTransposed);
