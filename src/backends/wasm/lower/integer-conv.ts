import { IntegerDepthwise, IntegerTile } from '../../../../build/quantized-kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { type IntegerConvParameters, integerConvolution } from '../../../primitives/integer-conv.js';
import { X } from '../../../primitives/integer-epilogue.js';
import type { AxisWindow } from '../../../primitives/window.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';
import { integerDots } from './integer-dots.js';
import { integerEpilogueOf } from './integer-epilogue.js';
import { packedIntegers } from './integer-weights.js';
import { planeFields, volumeFields } from './window-fields.js';

/** A convolution whose batch and spatial sizes may be symbolic. */
type OpenConv = Omit<IntegerConvParameters, 'batch' | 'windows'> & {
  readonly batch: Size;
  readonly windows: readonly AxisWindow[];
};

interface Algorithm {
  serves(parameters: OpenConv): boolean;
  lower(c: Lowering, parameters: OpenConv, taps: number): void;
}

/** The groups of taps that an output pixel reads at most: window columns · ceil(kernel height / 2). */
function groupsOf(windows: readonly AxisWindow[]): number {
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
    const pixels = product(c.outputShape(0).slice(0, -1));
    const tilePixels = grainOf(pixels, channels * taps);
    const params = {
      ...integerEpilogueOf(c, parameters),
      ...plane,
      ...{ x: c.input(X), w, y: c.output(0), dots, batch, channels, tilePixels },
    };
    c.launch('integerDepthwise', params, ceilDivide(pixels, tilePixels), { writes: [c.output(0)] });
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
    const rowBlocks = ceilDivide(product(c.outputShape(0).slice(0, -1)), IntegerTile.Rows);
    const tiles = multiply(rowBlocks, group * Math.ceil(outChannels / IntegerTile.Columns));
    c.launch('integerConvolution', params, tiles, { writes: [c.output(0)] });
  },
};

function lowerConvolution(c: Lowering, parameters: OpenConv): 'host' | undefined {
  const { channels, group, windows } = parameters;
  const taps = elementCount(windows.map(({ kernel }) => kernel));
  if (windows.length > 3 || (taps * channels) / group > IntegerTile.Depth) return 'host';
  if (isSame(product(c.outputShape(0)), 0)) return undefined;
  [depthwise, direct].find(({ serves }) => serves(parameters))?.lower(c, parameters, taps);
  return undefined;
}

export const integerConvolutions = lowers(integerConvolution, lowerConvolution);
