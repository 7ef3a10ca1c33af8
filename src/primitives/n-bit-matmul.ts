import { account } from '../account.js';
import { areDecided, differ } from '../graph/guards.js';
import { formatSize, type Size } from '../graph/sizes.js';
import { tensorType, type ValueType } from '../graph/types.js';
import { floats, int, oneOf } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';
import {
  B,
  dequantizer,
  type LayoutAttributes,
  matrixOf,
  NBIT_TYPES,
  type NBitAttributes,
  type NBitMatrix,
  requireMatrix,
  SCALES,
  ZERO_POINTS,
} from './n-bit-blocks.js';

export const [A, BIAS] = [0, 4];

export interface NBitProductParameters extends NBitMatrix {
  /** The type to which A may be rounded, block by block: `words` have 16 bits, `bytes` 8. */
  readonly activations: 'floats' | 'words' | 'bytes';
}

/** A · (scale · (codes − zero point)) + bias, with a scale and a zero point per block of a column. */
export const nBitMatMul: Primitive<NBitProductParameters> = {
  name: 'n-bit-matmul',
  facts: {
    multiplyAdds: (c, { n }) => elementCount(c.dims(A) as number[]) * n,
  },
  reference(c, p) {
    const { dims, element } = c.result(0);
    const a = numbersOf(c.tensor(A));
    const rows = elementCount(c.tensor(A).dims.slice(0, -1));
    const bias = c.given(BIAS) ? numbersOf(c.tensor(BIAS)) : undefined;
    const zeros = c.given(ZERO_POINTS) ? c.tensor(ZERO_POINTS) : undefined;
    const dequantize = dequantizer({ codes: c.tensor(B), scales: c.tensor(SCALES), zeros }, p);
    const column = new Float64Array(p.k);
    const y = new Float64Array(rows * p.n);
    for (let n = 0; n < p.n; n++) {
      account()?.spend(p.k * (rows + 1));
      dequantize({ codes: n, scales: n, zeros: n }, column);
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let k = 0; k < p.k; k++) sum += (a[row * p.k + k] as number) * (column[k] as number);
        y[row * p.n + n] = sum + (bias?.[n] ?? 0);
      }
    }
    return [tensorOf(element, dims, y)];
  },
};

/** Checks A and the bias. */
export function requireActivations(c: Inference<NBitAttributes>, bias: number): void {
  const { K: k, N: n } = c.attributes;
  const a = c.dims(A);
  if (a?.length === 0) c.fail('INVALID_SHAPE', 'A must have at least one axis, of K numbers');
  const inner = a?.at(-1);
  if (differ(inner, k)) c.fail('INVALID_SHAPE', `A has rows of ${formatSize(inner)}; K is ${k}`);
  requireDims(c, bias, [n]);
}

/** Dims of the product: those of A with N in place of the last. */
export const productOf = (c: Inference<NBitAttributes>): readonly Size[] | undefined => {
  const a = c.dims(A);
  return a && [...a.slice(0, -1), c.attributes.N];
};

export interface ProductAttributes extends LayoutAttributes {
  readonly accuracy_level: number;
}

/** By onnxruntime's accuracy levels: unset, float32, float16, bfloat16, int8. float16 and bfloat16 compute in float32. */
const ACTIVATIONS = ['words', 'floats', 'floats', 'floats', 'bytes'] as const;

export const PRODUCT_ATTRIBUTES = {
  K: int.required,
  N: int.required,
  bits: int(4),
  block_size: int.required,
  accuracy_level: int(0),
  layout: oneOf('blocks', 'KN', 'NK', 'bytes'),
  meanings: floats(),
};

/** Infers the type of Y. Throws an error if A, B and the bias do not match. */
export function inferProduct(c: Inference<ProductAttributes>): ValueType {
  requireMatrix(c);
  requireActivations(c, BIAS);
  return tensorType(c.element(A), productOf(c));
}

/** Parameters of a product, or undefined while sizes are unknown. */
export function parametersOf(c: Inference<ProductAttributes>): NBitProductParameters | undefined {
  const matrix = areDecided(c.dims(A)) ? matrixOf(c) : undefined;
  const activations = ACTIVATIONS[c.attributes.accuracy_level];
  return matrix && activations && { ...matrix, activations };
}

/** MatMulNBits on float32, with scales and zero points as stored; or B in DequantizeLinear's or MatMulBnb4's layout. */
export const nBitMatMulOperator = defineOp({
  domain: 'sardonyx',
  name: 'MatMulNBits',
  signature: 'A: T, B: Q, scales: S, zero_points?: Z, bias?: T -> Y: T',
  types: { T: ['float32'], ...NBIT_TYPES },
  halves: 'carried',
  attributes: PRODUCT_ATTRIBUTES,
  guarded: true,
  infer: (c) => [inferProduct(c)],
  computes: by(nBitMatMul, parametersOf),
});
