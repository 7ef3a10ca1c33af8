import { MatMulTile } from '../../../build/kernels.js';
import { packedInput } from '../../backends/wasm/lower/packed-input.js';
import type { Lowering } from '../../backends/wasm/lowering.js';
import { tensorType } from '../../graph/types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { int, ints } from '../attributes.js';
import { asChannelsFirst, throughChannelsLast } from '../channels-last.js';
import { defineOp } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { type EpilogueAttributes, epilogueAttributes, epilogueOf, requireEpilogue } from '../epilogue.js';
import { requireDims } from '../shapes.js';
import { throughFloat32 } from '../through-float32.js';
import { type ConvTransposeAttributes, type Geometry, transposedGeometry } from './conv-transpose-geometry.js';
import { convolveTransposedOnHost } from './convolve-on-host.js';
import { hasWindowKernel, type KnownWindow, volumeFields, windowAttributes } from './window.js';

const attributes = {
  ...windowAttributes,
  group: int(1),
  kernel_shape: ints(),
  output_padding: ints(),
  output_shape: ints(),
};

function lower(c: Lowering<ConvTransposeAttributes & EpilogueAttributes>): undefined {
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
    ...epilogueOf(c, 2, 3),
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

/** https://onnx.ai/onnx/operators/onnx__ConvTranspose.html */
export const convTranspose = defineOp({
  name: 'ConvTranspose',
  signature: 'X: T, W: T, B?: T -> Y: T',
  types: { T: FLOATS },
  attributes,
  infer(c) {
    const g = transposedGeometry(c, c.dims(0));
    requireDims(c, 2, [g?.outChannels]);
    return [tensorType(c.element(0), g && [g.batch, g.outChannels, ...g.windows.map((w) => w.out)])];
  },
  decompose(c) {
    const rank = c.dims(1)?.length ?? c.dims(0)?.length;
    if (rank === undefined) return undefined;
    if (c.element(0) !== 'float32') return throughFloat32(c);
    if (!hasWindowKernel(rank)) return undefined;
    return throughChannelsLast(c, rank, [c.input(1), c.given(2) ? c.input(2) : null]);
  },
  evaluate(c) {
    const { windows } = transposedGeometry(c, c.dims(0)) as Geometry;
    const bias = c.given(2) ? c.tensor(2) : undefined;
    const { group } = c.attributes;
    return [
      convolveTransposedOnHost({ x: c.tensor(0), w: c.tensor(1), bias, group, windows: windows as KnownWindow[] }),
    ];
  },
});

/** ConvTranspose on [N, spatial…, C] with bias, residual (of the result's shape) and activation. */
export const fusedConvTranspose = defineOp({
  domain: 'sardonyx',
  name: 'ConvTranspose',
  signature: 'X: T, W: T, bias?: T, residual?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...attributes, ...epilogueAttributes },
  infer(c) {
    const g = transposedGeometry(c, asChannelsFirst(c.dims(0)));
    const dims = g && [g.batch, ...g.windows.map((w) => w.out), g.outChannels];
    requireEpilogue(c, g?.outChannels, dims);
    return [tensorType(c.element(0), dims)];
  },
  lower,
});
