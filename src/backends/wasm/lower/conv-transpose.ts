import { MatMulTile } from '../../../../build/kernels.js';
import { type ConvTransposeParameters, transposedConvolution } from '../../../primitives/conv-transpose.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { epilogueOf } from './epilogue.js';
import { packedInput } from './packed-input.js';
import { volumeFields } from './window-fields.js';

function lowerTransposed(c: Lowering, parameters: ConvTransposeParameters): undefined {
  const { batch, outChannels, group: groups, windows } = parameters;
  if (elementCount(c.outputShape(0)) === 0) return;
  const [strides, dilations] = [windows.map(({ stride }) => stride), windows.map(({ dilation }) => dilation)];
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
  const lines = groups * params.batch * volume.outDepth * volume.outHeight;
  const times = lines * Math.ceil(shape.outChannels / MatMulTile.Columns);
  const tiles = { count: volume.outWidth, per: MatMulTile.Rows * strideWidth, times };
  c.isEven();
  c.launch('transposedConvolution', params, tiles, { writes: [params.y] });
}

export const transposedConvolutions = lowers(transposedConvolution, lowerTransposed);
