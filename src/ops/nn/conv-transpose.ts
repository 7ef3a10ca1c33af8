import { MatMulTile } from '../../../build/kernels.js';
import { derived } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { int, ints } from '../attributes.js';
import { asChannelsFirst, throughChannelsLast } from '../channels-last.js';
import { defineOp, type Inference, type Lowering } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { type EpilogueAttributes, epilogueAttributes, epilogueOf } from '../epilogue.js';
import { packedInput } from '../packed-input.js';
import { requireDims } from '../shapes.js';
import { throughFloat32 } from '../through-float32.js';
import { convolveTransposedOnHost } from './convolve-on-host.js';
import { type AxisWindow, type KnownWindow, volumeFields, type WindowAttributes, windowAttributes } from './window.js';

export interface ConvTransposeAttributes extends WindowAttributes {
  readonly group: number;
  readonly kernel_shape: readonly number[] | undefined;
  readonly output_padding: readonly number[] | undefined;
  readonly output_shape: readonly number[] | undefined;
}

const attributes = {
  ...windowAttributes,
  group: int(1),
  kernel_shape: ints(),
  output_padding: ints(),
  output_shape: ints(),
};

interface Geometry {
  readonly batch: Dim;
  readonly outChannels: number;
  readonly windows: readonly AxisWindow[];
}

/** Geometry from the dims of input 0, given as [N, C, spatial…], and of the weights [C, M / group, kernel…]. */
export function transposedGeometry(
  c: Inference<ConvTransposeAttributes>,
  x: readonly Dim[] | undefined,
): Geometry | undefined {
  const w = c.dims(1) as readonly number[] | undefined;
  if (!x || !w) return undefined;
  if (x.length < 3 || w.length !== x.length) c.fail('INVALID_SHAPE', `convolves [${x}] with weights [${w}]`);
  const { group, kernel_shape } = c.attributes;
  const [channels, groupChannels, ...kernel] = w as [number, number, ...number[]];
  if (typeof x[1] === 'number' && x[1] !== channels) {
    c.fail('INVALID_SHAPE', `X has ${x[1]} channels; weights [${w}] take ${channels}`);
  }
  if (channels % group !== 0) c.fail('INVALID_SHAPE', `${channels} channels do not divide into ${group} groups`);
  if (kernel_shape && String(kernel_shape) !== String(kernel)) {
    c.fail('INVALID_ATTRIBUTE', `kernel_shape [${kernel_shape}] is not that of the weights, [${kernel}]`);
  }
  const spatial = x.slice(2);
  const windows = spatial.map((size, axis) => transposedWindow(c, size, kernel[axis] as number, axis, spatial.length));
  return { batch: x[0] as Dim, outChannels: groupChannels * group, windows };
}

/** The window along one axis; `size` is that of the input, `out` of the result. */
function transposedWindow(
  c: Inference<ConvTransposeAttributes>,
  size: Dim,
  kernel: number,
  axis: number,
  rank: number,
): AxisWindow {
  const { auto_pad, strides, pads, dilations, output_padding, output_shape } = c.attributes;
  const stride = strides?.[axis] ?? 1;
  const dilation = dilations?.[axis] ?? 1;
  const extra = output_padding?.[axis] ?? 0;
  const unpadded = (n: number) => (n - 1) * stride + extra + (kernel - 1) * dilation + 1;
  const base = { size, kernel, stride, dilation };
  const same = auto_pad.startsWith('SAME');
  if (!same && !output_shape) {
    const [padBefore, padAfter] = auto_pad === 'VALID' ? [0, 0] : [pads?.[axis] ?? 0, pads?.[axis + rank] ?? 0];
    const out = derived(`transposed${unpadded(1)}*${stride}-${padBefore + padAfter}`, [size], (n) => {
      return unpadded(n) - padBefore - padAfter;
    });
    if (typeof out === 'number' && out < 1) c.fail('INVALID_SHAPE', `pads [${pads}] leave nothing of the output`);
    return { ...base, padBefore, padAfter, out };
  }
  const out = output_shape?.at(axis - rank) ?? derived(`*${stride}`, [size], (n) => n * stride);
  const total = typeof size === 'number' ? Math.max(0, unpadded(size) - (out as number)) : 0;
  const [small, large] = [Math.floor(total / 2), Math.ceil(total / 2)];
  const upper = auto_pad === 'SAME_UPPER';
  return { ...base, padBefore: upper ? small : large, padAfter: upper ? large : small, out };
}

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
    return [tensorType(c.element(0), g && [g.batch, ...g.windows.map((w) => w.out), g.outChannels])];
  },
  lower,
});
