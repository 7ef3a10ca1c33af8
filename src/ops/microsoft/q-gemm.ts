import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { dimsOfRank, requireSpreading } from '../../schema/shapes.js';
import { arithmeticOn, castTo, emitOne } from '../emit.js';
import { parameterIn } from '../onnx/quantization/granularity.js';
import { quantized } from '../onnx/quantization/quantized.js';
import { BYTES, requireOneLevel, scalarAt } from './quantized-operands.js';

const [A, A_SCALE, A_ZERO, B, B_SCALE, B_ZERO, C, Y_SCALE, Y_ZERO] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

interface Attributes {
  readonly alpha: number;
  readonly transA: number;
  readonly transB: number;
}

function outDims(c: Inference<Attributes>): Size[] | undefined {
  const [a, b] = [dimsOfRank(c, A, 2), dimsOfRank(c, B, 2)];
  if (!a || !b) return undefined;
  const [m, ka] = c.attributes.transA ? [a[1], a[0]] : a;
  const [kb, n] = c.attributes.transB ? [b[1], b[0]] : b;
  if (ka !== kb && typeof ka === 'number' && typeof kb === 'number')
    c.fail('INVALID_SHAPE', `cannot multiply [${a}] by [${b}]: inner dims ${ka} and ${kb} differ`);
  return [m as Size, n as Size];
}

/** A·B + C in int32. */
function sums(c: Decomposition<Attributes>): Value {
  const operand = (i: number, transposed: number) => (transposed ? emitOne(c, 'Transpose', [c.input(i)]) : c.input(i));
  const factors = [operand(A, c.attributes.transA), operand(B, c.attributes.transB)];
  const product = emitOne(c, 'MatMulInteger', [...factors, c.input(A_ZERO), c.input(B_ZERO)]);
  return c.given(C) ? emitOne(c, 'Add', [product, c.input(C)]) : product;
}

/** Scale of the int32 sums, in steps of the result if that is quantized. */
function scaleOf(c: Decomposition<Attributes>): Value {
  const f = arithmeticOn(c, 'float32');
  const scale = f('Mul', f('Mul', c.attributes.alpha, scalarAt(c, A_SCALE)), parameterIn(c, B_SCALE, 'float32'));
  return c.given(Y_SCALE) ? f('Div', scale, scalarAt(c, Y_SCALE)) : scale;
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QGemm */
export const qGemm = defineOp({
  domain: 'com.microsoft',
  name: 'QGemm',
  signature:
    'A: TA, a_scale: T, a_zero_point: TA, B: TB, b_scale: T, b_zero_point: TB, C?: TC, y_scale?: T, y_zero_point?: TYZ -> Y: TY',
  types: { T: ['float32'], TA: BYTES, TB: BYTES, TC: ['int32'], TYZ: BYTES, TY: ['float32', ...BYTES] },
  attributes: { alpha: float(1), transA: int(0), transB: int(0) },
  infer(c) {
    const dims = outDims(c);
    requireOneLevel(c, A_SCALE, Y_SCALE);
    for (const i of [B_SCALE, B_ZERO]) requireSpreading(c, i, dims && [dims[1] as Size]);
    requireSpreading(c, C, dims);
    return [tensorType(c.given(Y_ZERO) ? c.element(Y_ZERO) : 'float32', dims)];
  },
  decompose(c) {
    const scaled = arithmeticOn(c, 'float32')('Mul', castTo(c, sums(c), 'float32'), scaleOf(c));
    return [c.given(Y_ZERO) ? quantized(c, scaled, scalarAt(c, Y_ZERO), c.element(Y_ZERO)) : scaled];
  },
});
