import { MatMulTile } from '../../../../build/kernels.js';
import { asChannelsFirst } from '../../../ops/channels-last.js';
import { geometryOf } from '../../../ops/onnx/nn/conv-geometry.js';
import { type AxisWindow, planeFields, volumeFields } from '../../../ops/onnx/nn/window.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import type { Lowerings } from '../lowering.js';
import type { Algorithm, FusedConv, Geometry } from './conv-algorithm.js';
import { epilogueOf } from './epilogue.js';
import { grainOf } from './grain.js';
import { packedInput } from './packed-input.js';
import { productTiles } from './product-tiles.js';
import { winograd } from './winograd.js';

const tapsOf = ({ windows }: Geometry) => windows.reduce((n, w) => n * w.kernel, 1);

const depthwise: Algorithm = {
  serves: (c, { channels, windows }) =>
    c.attributes.group > 1 && c.attributes.group === channels && windows.length <= 2,
  lower(c, geometry) {
    const { batch, channels, outChannels, windows } = geometry;
    const taps = tapsOf(geometry);
    const blocks = Math.ceil(outChannels / 4);
    const w = packedInput(c, 1, {
      kernel: 'packDepthwise',
      form: 'depthwise',
      bytes: blocks * taps * 16,
      tiles: blocks,
      params: (source, target) => ({ w: source, y: target, channels: outChannels, taps }),
    });
    const pixels = elementCount(c.outputShape(0)) / outChannels;
    const tilePixels = grainOf(pixels, outChannels * taps);
    const params = {
      ...epilogueOf(c, c.attributes),
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
    c.launch('depthwiseConvolution', params, Math.ceil(pixels / tilePixels), { writes: [c.output(0)] });
  },
};

/** 1×1, stride 1, no pads: a matrix product for each group, with a row per pixel. */
const pointwise: Algorithm = {
  serves: (c, { outChannels, windows }) =>
    mergedGroups(c.attributes.group, outChannels) === 1 && !windows.some(isTouched),
  lower(c, { channels, outChannels }) {
    const groups = c.attributes.group;
    const [k, n] = [channels / groups, outChannels / groups];
    const m = elementCount(c.shape(0)) / channels;
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
      ...{ ...epilogueOf(c, c.attributes), a: c.input(0), b, y: c.output(0), m, n, k, ...loops },
      ...{ aRowStride: channels, aColumnStride: 1, yRowStride: outChannels, residualRowStride: outChannels },
      ...{ aOuterStride: 0, bOuterStride: 0, yOuterStride: 0, residualOuterStride: 0 },
      ...{ aInnerStride: k, bInnerStride: panels * MatMulTile.Panel * k },
      ...{ yInnerStride: n, residualInnerStride: n, biasInnerStride: n },
    };
    const { tileColumns, tiles } = productTiles(params);
    c.launch('matmul', { ...params, tileColumns }, tiles, { writes: [c.output(0)] });
  },
};

/** How many neighbouring groups fill a panel of output channels together. */
function mergedGroups(groups: number, outChannels: number): number {
  const perPanel = Math.floor((MatMulTile.Panel * groups) / outChannels);
  for (let merge = Math.min(perPanel, groups); merge > 1; merge--) if (groups % merge === 0) return merge;
  return 1;
}

const direct: Algorithm = {
  serves: () => true,
  lower(c, geometry) {
    const { batch, windows } = geometry;
    const merge = mergedGroups(c.attributes.group, geometry.outChannels);
    const groups = c.attributes.group / merge;
    const channels = geometry.channels / groups;
    const outChannels = geometry.outChannels / groups;
    const taps = tapsOf(geometry);
    const panels = groups * Math.ceil(outChannels / MatMulTile.Panel);
    const w = packedInput(c, 1, {
      kernel: 'packConvolution',
      form: `direct ${merge}`,
      bytes: panels * MatMulTile.Panel * channels * taps * 4,
      tiles: panels,
      params: (source, packed) => ({ w: source, packed, groups, channels, outChannels, taps, merge }),
    });
    const params = {
      ...epilogueOf(c, c.attributes),
      ...volumeFields(windows),
      x: c.input(0),
      w,
      y: c.output(0),
      batch,
      groups,
      channels,
      outChannels,
      xPixelStride: geometry.channels,
      yPixelStride: geometry.outChannels,
      residualPixelStride: geometry.outChannels,
    };
    const rowBlocks = Math.ceil(elementCount(c.outputShape(0)) / geometry.outChannels / MatMulTile.Rows);
    const tiles = groups * rowBlocks * Math.ceil(outChannels / MatMulTile.Columns);
    c.launch('convolution', params, tiles, { writes: [c.output(0)] });
  },
};

const ALGORITHMS: readonly Algorithm[] = [depthwise, pointwise, winograd, direct];

const isTouched = ({ kernel, stride, padBefore, padAfter }: AxisWindow) =>
  kernel !== 1 || stride !== 1 || padBefore + padAfter !== 0;

/** A volume of which single planes are convolved is a batch of planes: Winograd and depthwise convolution have two axes. */
function asPlanes({ batch, windows, ...rest }: Geometry): Geometry {
  const [depth, ...plane] = windows;
  if (windows.length !== 3 || !depth || isTouched(depth)) return { batch, windows, ...rest };
  return { batch: batch * (depth.out as number), windows: plane, ...rest };
}

/** By the first algorithm that serves it. */
function conv(c: FusedConv): undefined {
  const geometry = asPlanes(geometryOf(c, asChannelsFirst(c.dims(0)), c.dims(1)) as Geometry);
  if (elementCount(c.outputShape(0)) === 0) return;
  ALGORITHMS.find(({ serves }) => serves(c, geometry))?.lower(c, geometry);
}

export const convolutions: Lowerings = { 'sardonyx:Conv': conv };
