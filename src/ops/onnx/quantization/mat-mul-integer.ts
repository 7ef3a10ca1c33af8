import type { Value } from '../../../graph/graph.js';
import { isKnown, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { matrixOf, productDims } from '../../../primitives/product-dims.js';
import { type Decomposition, defineOp } from '../../../schema/definition.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { arithmeticOn, castTo, emitOne } from '../../emit.js';
import { emitIntegerMatMul } from '../../emit-integers.js';
import { perRow } from './granularity.js';

const [A, B, A_ZERO, B_ZERO] = [0, 1, 2, 3];

/** Whether a zero point is one number, or one per row or column for all matrices; undefined if shapes are unknown. */
function isShared(c: Decomposition<unknown>, i: number, count: Size | undefined): boolean | undefined {
  if (!c.given(i)) return true;
  const dims = c.dims(i);
  if (!isKnown(dims)) return undefined;
  const zeros = elementCount(dims);
  return zeros === 1 || (typeof count === 'number' ? zeros === count : dims.length === 1 || undefined);
}

/** Matrices of a batch with different zero points: no kernel supports them, so this follows the specification literally. */
function centeredProduct(c: Decomposition<unknown>): Value {
  const centered = (i: number, zero: number, shape: (value: Value) => Value) => {
    const x = castTo(c, c.input(i), 'int32');
    return c.given(zero) ? arithmeticOn(c, 'int32')('Sub', x, shape(castTo(c, c.input(zero), 'int32'))) : x;
  };
  const a = centered(A, A_ZERO, c.given(A_ZERO) ? perRow(c, c.dims(A_ZERO)) : (value) => value);
  const b = centered(B, B_ZERO, (value) => value);
  return emitOne(c, 'MatMul', [a, b]);
}

/** https://onnx.ai/onnx/operators/onnx__MatMulInteger.html */
export const matMulInteger = defineOp({
  name: 'MatMulInteger',
  since: 10,
  signature: 'A: T1, B: T2, a_zero_point?: T1, b_zero_point?: T2 -> Y: T3',
  types: { T1: ['int8', 'uint8'], T2: ['int8', 'uint8'], T3: ['int32'] },
  infer: (c) => [tensorType('int32', productDims(c, c.dims(A), c.dims(B)))],
  decompose(c) {
    const [a, b] = [c.dims(A), c.dims(B)];
    if (!a || !b) return undefined;
    const rows = isShared(c, A_ZERO, matrixOf(a, 'left', false)[0]);
    const columns = isShared(c, B_ZERO, matrixOf(b, 'right', false)[1]);
    if (rows === undefined || columns === undefined) return undefined;
    if (!rows || !columns) return [centeredProduct(c)];
    const given = (i: number) => (c.given(i) ? c.input(i) : null);
    return [emitIntegerMatMul(c, { x: c.input(A), w: c.input(B), xZero: given(A_ZERO), wZero: given(B_ZERO) })];
  },
});
