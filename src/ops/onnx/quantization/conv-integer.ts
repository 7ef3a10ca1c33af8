import { tensorType } from '../../../graph/types.js';
import { convDims } from '../../../primitives/conv-geometry.js';
import { convAttributes } from '../../../primitives/window.js';
import { defineOp } from '../../../schema/definition.js';
import { emitIntegerConv } from '../../emit-integers.js';

const [X, W, X_ZERO, W_ZERO] = [0, 1, 2, 3];

/** https://onnx.ai/onnx/operators/onnx__ConvInteger.html; pads with the zero point. */
export const convInteger = defineOp({
  name: 'ConvInteger',
  since: 10,
  signature: 'x: T1, w: T2, x_zero_point?: T1, w_zero_point?: T2 -> y: T3',
  types: { T1: ['int8', 'uint8'], T2: ['int8', 'uint8'], T3: ['int32'] },
  attributes: convAttributes,
  infer: (c) => [tensorType('int32', convDims(c, c.dims(X), c.dims(W)))],
  decompose(c) {
    const rank = c.dims(W)?.length;
    if (rank === undefined) return undefined;
    const given = (i: number) => (c.given(i) ? c.input(i) : null);
    const operands = { x: c.input(X), w: c.input(W), xZero: given(X_ZERO), wZero: given(W_ZERO) };
    return [emitIntegerConv(c, rank, operands, c.node.attributes)];
  },
});
