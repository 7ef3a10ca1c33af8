import { tensorType } from '../../../graph/types.js';
import { convDims } from '../../../primitives/conv-geometry.js';
import { convAttributes } from '../../../primitives/window.js';
import { defineOp } from '../../../schema/definition.js';
import { arithmeticOn, reshapeTo } from '../../emit.js';
import { emitIntegerConv } from '../../emit-integers.js';
import { parameterIn } from './granularity.js';

const [X, X_SCALE, X_ZERO, W, W_SCALE, W_ZERO, Y_SCALE, Y_ZERO, BIAS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** https://onnx.ai/onnx/operators/onnx__QLinearConv.html; the scale of the bias is x_scale · w_scale. */
export const qLinearConv = defineOp({
  name: 'QLinearConv',
  since: 10,
  signature:
    'x: T1, x_scale: TS, x_zero_point: T1, w: T2, w_scale: TS, w_zero_point: T2, y_scale: TS, y_zero_point: T3, B?: T4 -> y: T3',
  types: { TS: ['float32'], T1: ['int8', 'uint8'], T2: ['int8', 'uint8'], T3: ['int8', 'uint8'], T4: ['int32'] },
  attributes: convAttributes,
  infer: (c) => [tensorType(c.element(Y_ZERO), convDims(c, c.dims(X), c.dims(W)))],
  decompose(c) {
    const rank = c.dims(W)?.length;
    if (rank === undefined) return undefined;
    const f = arithmeticOn(c, 'float32');
    const scalar = (i: number) => reshapeTo(c, parameterIn(c, i, 'float32'), []);
    const scale = f('Div', f('Mul', scalar(X_SCALE), reshapeTo(c, c.input(W_SCALE), [-1])), scalar(Y_SCALE));
    const operands = { x: c.input(X), w: c.input(W), xZero: c.input(X_ZERO), wZero: c.input(W_ZERO) };
    const bias = c.given(BIAS) ? c.input(BIAS) : null;
    return [emitIntegerConv(c, rank, { ...operands, scale, bias, yZero: c.input(Y_ZERO) }, c.node.attributes)];
  },
});
