import type { Place } from '../../../../bindings/place.js';
import { MatMulTile } from '../../../../build/kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product } from '../../../graph/sizes.js';
import { convolution } from '../../../primitives/conv.js';
import type { AxisWindow } from '../../../primitives/window.js';
import { type Lowering, lowers } from '../lowering.js';
import type { Algorithm, OpenConv } from './conv-algorithm.js';
import { epilogueOf } from './epilogue.js';
import { grainOf } from './grain.js';
import { packedInput } from './packed-input.js';
import { productTiles } from './product-tiles.js';
import { planeFields, volumeFields } from './window-fields.js';
import { winograd } from './winograd.js';

const tapsOf = ({ windows }: OpenConv) => windows.reduce((n, w) => n * w.kernel, 1);

const depthwise: Algorithm = {
  serves: (_, { group, channels, windows }) => group > 1 && group === channels && windows.length <= 2,
  lower(c, parameters) {
    const { batch, channels, outChannels, windows } = parameters;
    const taps = tapsOf(parameters);
    const blocks = Math.ceil(outChannels / 4);
    const w = packedInput(c, 1, {
      kernel: 'packDepthwise',
      form: 'depthwise',
      bytes: blocks * taps * 16,
      tiles: blocks,
      params: (source, target) => ({ w: source, y: target, channels: outChannels, taps }),
    });
    const pixels = product(c.outputShape(0).slice(0, -1));
    const tilePixels = grainOf(pixels, outChannels * taps);
    const params = {
      ...epilogueOf(c, parameters),
      ...planeFields(windows),
      x: c.input(0),
      w,
      y: c.output(0),
      batch,
      channels: outChannels,
      multiplier: outChannels / channels,
      xPixelStride: channels,
      yPixelStride: outChannels,
      residualPixelStride: outChannels,
      tilePixels,
    };
    c.launch('depthwiseConvolution', params, ceilDivide(pixels, tilePixels), { writes: [c.output(0)] });
  },
};

/** 1×1, stride 1, no pads: a matrix product for each group, with a row per pixel. */
export const pointwise: Algorithm = {
  serves: (_, { group, outChannels, windows }) => mergedGroups(group, outChannels) === 1 && !windows.some(isTouched),
  lower(c, parameters) {
    const { group: groups, channels, outChannels } = parameters;
    const [k, n] = [channels / groups, outChannels / groups];
    const m = product(c.shape(0).slice(0, -1));
    const panels = Math.ceil(n / MatMulTile.Panel);
    const loops = { outer: 1, inner: groups };
    const b = packedInput(c, 1, {
      kernel: 'packMatMulB',
      form: 'pointwise',
      bytes: groups * panels * MatMulTile.Panel * k * 4,
      tiles: groups * panels,
      params: (source, packed) => ({
        ...{ b: source, packed, n, k, ...loops, alpha: 1 },
        ...{ rowStride: 1, columnStride: k, outerStride: 0, innerStride: n * k },
      }),
    });
    const params = {
      ...{ ...epilogueOf(c, parameters), a: c.input(0), b, y: c.output(0), m, n, k, ...loops },
      ...{ aRowStride: channels, aColumnStride: 1, yRowStride: outChannels, residualRowStride: outChannels },
      ...{ aOuterStride: 0, bOuterStride: 0, yOuterStride: 0, residualOuterStride: 0 },
      ...{ aInnerStride: k, bInnerStride: panels * MatMulTile.Panel * k },
      ...{ yInnerStride: n, residualInnerStride: n, biasInnerStride: n },
    };
    const { tileColumns, tiles } = productTiles(params);
    c.launch('matmul', { ...params, tileColumns }, tiles, { writes: [c.output(0)] });
  },
};

/** The number of adjacent groups to merge, so that one panel holds all their output channels. */
export function mergedGroups(groups: number, outChannels: number): number {
  const perPanel = Math.floor((MatMulTile.Panel * groups) / outChannels);
  for (let merge = Math.min(perPanel, groups); merge > 1; merge--) if (groups % merge === 0) return merge;
  return 1;
}

/** Launches a direct convolution with weights `w` in panels; `groups` counts merged groups as one. */
export function convolveDirectly(c: Lowering, parameters: OpenConv, groups: number, w: Place): void {
  const { batch, windows } = parameters;
  const outChannels = parameters.outChannels / groups;
  const params = {
    ...epilogueOf(c, parameters),
    ...volumeFields(windows),
    x: c.input(0),
    w,
    y: c.output(0),
    batch,
    groups,
    channels: parameters.channels / groups,
    outChannels,
    xPixelStride: parameters.channels,
    yPixelStride: parameters.outChannels,
    residualPixelStride: parameters.outChannels,
  };
  const pixels = product(c.outputShape(0).slice(0, -1));
  const times = groups * Math.ceil(outChannels / MatMulTile.Columns);
  const tiles = multiply(ceilDivide(pixels, MatMulTile.Rows), times);
  c.launch('convolution', params, tiles, { writes: [c.output(0)] });
}

export const direct: Algorithm = {
  serves: () => true,
  lower(c, parameters) {
    const merge = mergedGroups(parameters.group, parameters.outChannels);
    const groups = parameters.group / merge;
    const channels = parameters.channels / groups;
    const outChannels = parameters.outChannels / groups;
    const taps = tapsOf(parameters);
    const panels = groups * Math.ceil(outChannels / MatMulTile.Panel);
    const w = packedInput(c, 1, {
      kernel: 'packConvolution',
      form: `direct ${merge}`,
      bytes: panels * MatMulTile.Panel * channels * taps * 4,
      tiles: panels,
      params: (source, packed) => ({ w: source, packed, groups, channels, outChannels, taps, merge }),
    });
    convolveDirectly(c, parameters, groups, w);
  },
};

const ALGORITHMS: readonly Algorithm[] = [depthwise, pointwise, winograd, direct];

const isTouched = ({ kernel, stride, padBefore, padAfter }: AxisWindow) =>
  kernel !== 1 || stride !== 1 || !isSame(padBefore, 0) || !isSame(padAfter, 0);

/** Turns a 3-D convolution of single planes into a batch of 2-D ones: Winograd and depthwise have only two axes. */
export function asPlanes(parameters: OpenConv): OpenConv {
  const { batch, windows } = parameters;
  const [depth, ...plane] = windows;
  if (windows.length !== 3 || !depth || isTouched(depth)) return parameters;
  return { ...parameters, batch: multiply(batch, depth.out), windows: plane };
}

/** The first algorithm that serves a convolution. */
export const algorithmFor = (c: Lowering, parameters: OpenConv): Algorithm =>
  ALGORITHMS.find(({ serves }) => serves(c, parameters)) as Algorithm;

export function lowerConvolution(c: Lowering, parameters: OpenConv): undefined {
  if (isSame(product(c.outputShape(0)), 0)) return;
  const own = asPlanes(parameters);
  algorithmFor(c, own).lower(c, own);
}

export const convolutions = lowers(convolution, lowerConvolution);
