import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { toChannelsFirst, toChannelsLast } from '../../primitives/channels-last.js';
import { type ConvAttributes, convDims } from '../../primitives/conv-geometry.js';
import { convAttributes } from '../../primitives/window.js';
import { int } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { permutation } from '../channels-last.js';
import { emitOne } from '../emit.js';
import { qLinearConv as ofOnnx } from '../onnx/quantization/qlinear-conv.js';

const [X, W, Y_ZERO, BIAS] = [0, 3, 7, 8];

type Axes = readonly Size[] | undefined;

const permuted = (dims: Axes, perm: (rank: number) => readonly number[]): Axes =>
  dims && perm(dims.length).map((axis) => dims[axis] as Size);

function outDims(c: Inference<ConvAttributes & { readonly channels_last: number }>) {
  if (!c.attributes.channels_last) return convDims(c, c.dims(X), c.dims(W));
  return permuted(convDims(c, permuted(c.dims(X), toChannelsFirst), c.dims(W)), toChannelsLast);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearConv: x may be [N, spatial…, C]. */
export const qLinearConv = defineOp({
  domain: 'com.microsoft',
  name: 'QLinearConv',
  signature:
    'x: T1, x_scale: TS, x_zero_point: T1, w: T2, w_scale: TS, w_zero_point: T2, y_scale: TS, y_zero_point: T3, B?: T4 -> y: T3',
  types: ofOnnx.types,
  attributes: { ...convAttributes, channels_last: int(0) },
  infer: (c) => [tensorType(c.element(Y_ZERO), outDims(c))],
  decompose(c) {
    const rank = c.dims(W)?.length;
    if (rank === undefined) return undefined;
    const { channels_last, ...own } = c.node.attributes;
    const inputs = Array.from({ length: BIAS + 1 }, (_, i) => (c.given(i) ? c.input(i) : null));
    if (!c.attributes.channels_last) return c.emit('QLinearConv', inputs, own);
    const x = emitOne(c, 'Transpose', [c.input(X)], permutation(toChannelsFirst(rank)));
    const y = emitOne(c, 'QLinearConv', [x, ...inputs.slice(1)], own);
    return [emitOne(c, 'Transpose', [y], permutation(toChannelsLast(rank)))];
  },
});
