import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { productDims } from '../../primitives/product-dims.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { requireDims } from '../../schema/shapes.js';
import { arithmeticOn, castTo, emitOne } from '../emit.js';
import { parameterIn } from '../onnx/quantization/granularity.js';
import { BYTES, requireOne, scalarAt } from './quantized-operands.js';

/** Input indices of an integer product: the scale and the zero point of B, and the bias. */
interface Operands {
  readonly bScale: number;
  readonly bZero: number;
  readonly bias: number;
}

/** Checks that each of the inputs `columns` is one number, or one per column of B. */
function requireColumns(c: Inference<unknown>, columns: readonly number[], n: Size | undefined): void {
  for (const i of columns) {
    const dims = c.given(i) ? c.dims(i) : undefined;
    if (dims?.some((d) => d !== 1) && dims.length <= 1) requireDims(c, i, [n]);
  }
}

function inferProduct(c: Inference<unknown>, { bScale, bZero, bias }: Operands) {
  const [a, b] = [c.dims(0), c.dims(1)];
  const columns = b && b.length > 1 ? b.at(-1) : 1;
  requireColumns(c, [bScale, bZero], columns);
  requireDims(c, bias, [columns]);
  return [tensorType('float32', productDims(c, a, b))];
}

/** Scales integer sums in float32, then adds the bias. */
function scaledProduct(c: Decomposition<unknown>, sums: Value, scale: Value, bias: number): Value {
  const f = arithmeticOn(c, 'float32');
  const scaled = f('Mul', castTo(c, sums, 'float32'), scale);
  return c.given(bias) ? f('Add', scaled, c.input(bias)) : scaled;
}

const TO_FLOAT = { aScale: 2, bScale: 3, aZero: 4, bZero: 5, bias: 6 } as const;

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MatMulIntegerToFloat */
export const matMulIntegerToFloat = defineOp({
  domain: 'com.microsoft',
  name: 'MatMulIntegerToFloat',
  signature: 'A: T1, B: T2, a_scale: T3, b_scale: T3, a_zero_point?: T1, b_zero_point?: T2, bias?: T3 -> Y: T3',
  types: { T1: BYTES, T2: BYTES, T3: ['float32'] },
  infer(c) {
    requireOne(c, TO_FLOAT.aScale, TO_FLOAT.aZero);
    return inferProduct(c, TO_FLOAT);
  },
  decompose(c) {
    const { aScale, bScale, aZero, bZero, bias } = TO_FLOAT;
    const optional = (i: number) => (c.given(i) ? c.input(i) : null);
    const sums = emitOne(c, 'MatMulInteger', [c.input(0), c.input(1), optional(aZero), optional(bZero)]);
    const scale = arithmeticOn(c, 'float32')('Mul', scalarAt(c, aScale), parameterIn(c, bScale, 'float32'));
    return [scaledProduct(c, sums, scale, bias)];
  },
});

const DYNAMIC = { bScale: 2, bZero: 3, bias: 4 } as const;

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.DynamicQuantizeMatMul */
export const dynamicQuantizeMatMul = defineOp({
  domain: 'com.microsoft',
  name: 'DynamicQuantizeMatMul',
  signature: 'A: T1, B: T2, b_scale: T1, b_zero_point?: T2, bias?: T1 -> Y: T1',
  types: { T1: ['float32'], T2: BYTES },
  infer: (c) => inferProduct(c, DYNAMIC),
  decompose(c) {
    const { bScale, bZero, bias } = DYNAMIC;
    const [a, aScale, aZero] = c.emit('DynamicQuantizeLinear', [c.input(0)], {}, 3) as [Value, Value, Value];
    const optional = (i: number) => (c.given(i) ? c.input(i) : null);
    return c.emit('com.microsoft:MatMulIntegerToFloat', [
      a,
      c.input(1),
      aScale,
      c.input(bScale),
      aZero,
      optional(bZero),
      optional(bias),
    ]);
  },
});
