import { IntegerDepthwise, IntegerTile } from '../../../../build/quantized-kernels.js';
import { type IntegerConvParameters, integerConvolution } from '../../../primitives/integer-conv.js';
import { X } from '../../../primitives/integer-epilogue.js';
import type { KnownWindow } from '../../../primitives/window.js';
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

/** The groups of taps that an output pixel reads at most: window columns · ceil(kernel height / 2). */
function groupsOf(windows: readonly KnownWindow[]): number {
  const { kernelHeight, kernelWidth, dilationWidth } = planeFields(windows);
  return ((kernelWidth - 1) * dilationWidth + 1) * Math.ceil(kernelHeight / 2);
}

const depthwise: Algorithm = {
  serves: ({ group, channels, outChannels, windows }) =>
    group > 1 &&
    group === channels &&
    channels === outChannels &&
    windows.length <= 2 &&
    groupsOf(windows) <= IntegerDepthwise.Groups,
  lower(c, parameters, taps) {
    const { batch, channels, windows } = parameters;
    const dots = integerDots(c.engine);
    const plane = planeFields(windows);
    const { kernelHeight, kernelWidth } = plane;
    const strides = { tapStride: 1, channelStride: kernelWidth, columnStride: taps, matrixStride: 0 };
    const sizes = { columns: channels, taps: kernelWidth, channels: kernelHeight, closed: 1 };
    const w = packedIntegers(c, dots, 1, { ...sizes, ...strides });
    const pixels = elementCount(c.outputShape(0)) / channels;
    const tilePixels = grainOf(pixels, channels * taps);
    const params = {
      ...integerEpilogueOf(c, parameters),
      ...plane,
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
    const sizes = { columns: outChannels, taps, channels, closed: 0 };
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
  if (windows.length > 3 || (taps * channels) / group > IntegerTile.Depth) return 'host';
  if (elementCount(c.outputShape(0)) === 0) return undefined;
  [depthwise, direct].find(({ serves }) => serves(parameters))?.lower(c, parameters, taps);
  return undefined;
}

export const integerConvolutions = lowers(integerConvolution, lowerConvolution);
