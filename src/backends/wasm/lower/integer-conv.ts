import { IntegerTile } from '../../../../build/quantized-kernels.js';
import { type IntegerConvParameters, integerConvolution } from '../../../primitives/integer-conv.js';
import { X } from '../../../primitives/integer-epilogue.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { integerDots } from './integer-dots.js';
import { integerEpilogueOf } from './integer-epilogue.js';
import { packedIntegers } from './integer-weights.js';
import { volumeFields } from './window-fields.js';

function lowerConvolution(c: Lowering, parameters: IntegerConvParameters): 'host' | undefined {
  const { batch, group, windows } = parameters;
  const channels = parameters.channels / group;
  const outChannels = parameters.outChannels / group;
  const taps = elementCount(windows.map(({ kernel }) => kernel));
  if (windows.length > 3 || taps * channels > IntegerTile.Depth) return 'host';
  const results = elementCount(c.outputShape(0));
  if (results === 0) return undefined;
  const dots = integerDots(c.engine);
  const sizes = { columns: outChannels, taps, channels };
  const strides = { tapStride: 1, channelStride: taps, columnStride: channels * taps };
  const w = packedIntegers(c, dots, group, { ...sizes, ...strides, matrixStride: outChannels * channels * taps });
  const params = {
    ...integerEpilogueOf(c, parameters),
    ...volumeFields(windows),
    x: c.input(X),
    w,
    y: c.output(0),
    ...{ dots, batch, groups: group, channels, outChannels },
  };
  const rowBlocks = Math.ceil(results / parameters.outChannels / IntegerTile.Rows);
  const tiles = group * rowBlocks * Math.ceil(outChannels / IntegerTile.Columns);
  c.launch('integerConvolution', params, tiles, { writes: [c.output(0)] });
  return undefined;
}

export const integerConvolutions = lowers(integerConvolution, lowerConvolution);
