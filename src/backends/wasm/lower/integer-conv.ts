import { IntegerDepthwise, IntegerTile } from '../../../../build/quantized-kernels.js';
import { type IntegerConvParameters, integerConvolution } from '../../../primitives/integer-conv.js';
import { X } from '../../../primitives/integer-epilogue.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { integerDots } from './integer-dots.js';
import { integerEpilogueOf } from './integer-epilogue.js';
import { packedIntegers } from './integer-weights.js';
import { planeFields, volumeFields } from './window-fields.js';

interface Algorithm {
  serves(parameters: IntegerConvParameters): boolean;
  lower(c: Lowering, parameters: IntegerConvParameters, taps: number): void;
}

const depthwise: Algorithm = {
  serves: ({ group, channels, outChannels, windows }) =>
    group > 1 && group === channels && channels === outChannels && windows.length <= 2,
  lower(c, parameters, taps) {
    const { batch, channels, windows } = parameters;
    const dots = integerDots(c.engine);
    const strides = { tapStride: 1, channelStride: 0, columnStride: taps, matrixStride: 0 };
    const w = packedIntegers(c, dots, 1, { columns: channels, taps, channels: 1, ...strides });
    const pixels = elementCount(c.outputShape(0)) / channels;
    const tilePixels = grainOf(pixels, channels * taps);
    const params = {
      ...integerEpilogueOf(c, parameters),
      ...planeFields(windows),
      ...{ x: c.input(X), w, y: c.output(0), dots, batch, channels, tilePixels },
    };
    c.launch('integerDepthwise', params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
  },
};

const direct: Algorithm = {
  serves: () => true,
  lower(c, parameters, taps) {
    const { batch, group, windows } = parameters;
    const channels = parameters.channels / group;
    const outChannels = parameters.outChannels / group;
    const dots = integerDots(c.engine);
    const sizes = { columns: outChannels, taps, channels };
    const strides = { tapStride: 1, channelStride: taps, columnStride: channels * taps };
    const w = packedIntegers(c, dots, group, { ...sizes, ...strides, matrixStride: outChannels * channels * taps });
    const params = {
      ...integerEpilogueOf(c, parameters),
      ...volumeFields(windows),
      ...{ x: c.input(X), w, y: c.output(0), dots, batch, groups: group, channels, outChannels },
    };
    const rowBlocks = Math.ceil(elementCount(c.outputShape(0)) / parameters.outChannels / IntegerTile.Rows);
    const tiles = group * rowBlocks * Math.ceil(outChannels / IntegerTile.Columns);
    c.launch('integerConvolution', params, tiles, { writes: [c.output(0)] });
  },
};

function lowerConvolution(c: Lowering, parameters: IntegerConvParameters): 'host' | undefined {
  const { channels, group, windows } = parameters;
  const taps = elementCount(windows.map(({ kernel }) => kernel));
  if (windows.length > 3 || taps > IntegerDepthwise.Taps || (taps * channels) / group > IntegerTile.Depth)
    return 'host';
  if (elementCount(c.outputShape(0)) === 0) return undefined;
  [depthwise, direct].find(({ serves }) => serves(parameters))?.lower(c, parameters, taps);
  return undefined;
}

export const integerConvolutions = lowers(integerConvolution, lowerConvolution);
