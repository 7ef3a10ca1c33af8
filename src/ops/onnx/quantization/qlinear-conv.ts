import { tensorType } from '../../../graph/types.js';
import { convDims } from '../../../primitives/conv-geometry.js';
import { convAttributes } from '../../../primitives/window.js';
import { defineOp } from '../../../schema/definition.js';
import { arithmeticOn, castTo, emitOne, reshapeTo } from '../../emit.js';
import { parameterIn } from './granularity.js';
import { quantized } from './quantized.js';

const [X, X_SCALE, X_ZERO, W, W_SCALE, W_ZERO, Y_SCALE, Y_ZERO, BIAS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** https://onnx.ai/onnx/operators/onnx__QLinearConv.html; the bias counts in steps of x_scale · w_scale. */
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
    const perChannel = [-1, ...new Array<number>(rank - 2).fill(1)];
    const convolved = emitOne(
      c,
      'ConvInteger',
      [X, W, X_ZERO, W_ZERO].map((i) => c.input(i)),
      c.node.attributes,
    );
    const sums = c.given(BIAS) ? emitOne(c, 'Add', [convolved, reshapeTo(c, c.input(BIAS), perChannel)]) : convolved;
    const scales = reshapeTo(c, parameterIn(c, W_SCALE, 'float32'), perChannel);
    const scale = f('Div', f('Mul', scalar(X_SCALE), scales), scalar(Y_SCALE));
    return [quantized(c, f('Mul', castTo(c, sums, 'float32'), scale), scalar(Y_ZERO), c.element(Y_ZERO))];
  },
});
