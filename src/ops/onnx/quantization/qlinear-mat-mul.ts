import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { productDims } from '../../../primitives/product-dims.js';
import { type Decomposition, defineOp } from '../../../schema/definition.js';
import { isInteger } from '../../../tensor/element-types.js';
import { arithmeticOn, castTo, emitOne, reshapeTo } from '../../emit.js';
import { emitIntegerMatMul } from '../../emit-integers.js';
import { parameterIn, perRow } from './granularity.js';
import { quantized } from './quantized.js';

const [A, A_SCALE, A_ZERO, B, B_SCALE, B_ZERO, Y_SCALE, Y_ZERO] = [0, 1, 2, 3, 4, 5, 6, 7];

type Rows = (i: number) => Value;

/** a·b in steps of the result's scale. */
function integerProduct(c: Decomposition<unknown>, rows: Rows): Value {
  const f = arithmeticOn(c, 'float32');
  const scale = f('Div', f('Mul', rows(A_SCALE), parameterIn(c, B_SCALE, 'float32')), rows(Y_SCALE));
  const operands = [A, B, A_ZERO, B_ZERO].map((i) => c.input(i));
  return f('Mul', castTo(c, emitOne(c, 'MatMulInteger', operands), 'float32'), scale);
}

/** a·b of integers, requantized with one scale and zero point each for a and for the result. */
function requantized(c: Decomposition<unknown>): Value {
  const f = arithmeticOn(c, 'float32');
  const scalar = (i: number) => reshapeTo(c, parameterIn(c, i, 'float32'), []);
  const columns = reshapeTo(c, parameterIn(c, B_SCALE, 'float32'), [-1]);
  const scale = f('Div', f('Mul', scalar(A_SCALE), columns), scalar(Y_SCALE));
  const operands = { x: c.input(A), w: c.input(B), xZero: c.input(A_ZERO), wZero: c.input(B_ZERO) };
  return emitIntegerMatMul(c, { ...operands, scale, yZero: c.input(Y_ZERO) });
}

const isOne = (dims: readonly Size[] | undefined) => dims?.every((d) => d === 1) === true;

/** Whether all rows share their scales and zero points, and all matrices those of their columns. */
function isUniform(c: Decomposition<unknown>): boolean {
  const b = c.dims(B);
  const perColumn = (i: number) => isOne(c.dims(i)) || (c.dims(i)?.length === 1 && (b?.length ?? 0) > 1);
  return [A_SCALE, A_ZERO, Y_SCALE, Y_ZERO].every((i) => isOne(c.dims(i))) && [B_SCALE, B_ZERO].every(perColumn);
}

/** a·b of 8-bit floats. */
function floatProduct(c: Decomposition<unknown>, rows: Rows): Value {
  const f = arithmeticOn(c, 'float32');
  const centered = (i: number, zero: Value) => f('Sub', castTo(c, c.input(i), 'float32'), zero);
  const a = f('Mul', centered(A, rows(A_ZERO)), rows(A_SCALE));
  const b = f('Mul', centered(B, parameterIn(c, B_ZERO, 'float32')), parameterIn(c, B_SCALE, 'float32'));
  return f('MatMul', a, b);
}

const QUANTIZED = ['int8', 'uint8', 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz'] as const;

/** https://onnx.ai/onnx/operators/onnx__QLinearMatMul.html */
export const qLinearMatMul = defineOp({
  name: 'QLinearMatMul',
  since: 10,
  signature:
    'a: T1, a_scale: TS, a_zero_point: T1, b: T2, b_scale: TS, b_zero_point: T2, y_scale: TS, y_zero_point: T3 -> y: T3',
  types: { TS: ['float32', 'float16', 'bfloat16'], T1: QUANTIZED, T2: QUANTIZED, T3: QUANTIZED },
  infer: (c) => [tensorType(c.element(Y_ZERO), productDims(c, c.dims(A), c.dims(B)))],
  decompose(c) {
    const to = c.element(Y_ZERO);
    if (![A_SCALE, A_ZERO, Y_SCALE, Y_ZERO].every((i) => c.dims(i))) return undefined;
    const isWhole = isInteger(c.element(A)) && isInteger(c.element(B));
    if (isWhole && isInteger(to) && isUniform(c)) return [requantized(c)];
    const f = arithmeticOn(c, 'float32');
    const rows = (i: number) => perRow(c, c.dims(i))(parameterIn(c, i, 'float32'));
    const scaled = isWhole ? integerProduct(c, rows) : f('Div', floatProduct(c, rows), rows(Y_SCALE));
    return [isInteger(to) ? quantized(c, scaled, rows(Y_ZERO), to) : castTo(c, scaled, to)];
  },
});
