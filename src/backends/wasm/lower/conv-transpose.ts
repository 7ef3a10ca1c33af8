import { MatMulTile } from '../../../../build/kernels.js';
import { asChannelsFirst } from '../../../ops/channels-last.js';
import {
  type ConvTransposeAttributes,
  type Geometry,
  transposedGeometry,
} from '../../../ops/onnx/nn/conv-transpose-geometry.js';
import { volumeFields } from '../../../ops/onnx/nn/window.js';
import type { EpilogueAttributes } from '../../../primitives/epilogue.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { epilogueOf } from './epilogue.js';
import { packedInput } from './packed-input.js';

function convTranspose(c: Lowering<ConvTransposeAttributes & EpilogueAttributes>): undefined {
  const { batch, outChannels, windows } = transposedGeometry(c, asChannelsFirst(c.dims(0))) as Geometry;
  if (elementCount(c.outputShape(0)) === 0) return;
  const { group: groups, strides, dilations } = c.attributes;
  const channels = c.shape(0).at(-1) as number;
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
    ...epilogueOf(c, c.attributes),
    ...volume,
    ...shape,
    x: c.input(0),
    w,
    y: c.output(0),
    batch: batch as number,
    xPixelStride: channels,
    yPixelStride: outChannels,
    residualPixelStride: outChannels,
  };
  const lines = groups * params.batch * volume.outDepth * volume.outHeight;
  const spans = Math.ceil(volume.outWidth / (MatMulTile.Rows * strideWidth));
  const tiles = lines * spans * Math.ceil(shape.outChannels / MatMulTile.Columns);
  c.launch('transposedConvolution', params, tiles, { writes: [params.y] });
}

export const transposedConvolutions: Lowerings = { 'sardonyx:ConvTranspose': convTranspose };
