import { stridesOf } from '../graph/dims.js';
import { float, int } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { like } from '../schema/shapes.js';
import { numbersOf } from '../tensor/numbers.js';
import { evaluateStrided } from '../tensor/strided.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { type EpilogueAttributes, epilogueAttributes, finished, requireEpilogue } from './epilogue.js';
import { multiplyOnHost } from './multiply-on-host.js';
import { matrixOf, productDims } from './product-dims.js';

export interface ProductParameters extends EpilogueAttributes {
  readonly transA: number;
  readonly transB: number;
  readonly alpha: number;
}

/** activate(alpha · op(A) · op(B) + bias + residual); op is an optional transposition. */
export const matmul: Primitive<ProductParameters> = {
  name: 'matmul',
  facts: {
    epilogue: 'full',
    channelStride: (weights, { transB }) => (weights.length === 2 ? (transB ? (weights[1] as number) : 1) : undefined),
    multiplyAdds: (c, { transA, transB }) => {
      const [a, b] = [c.dims(0), c.dims(1)] as [readonly number[], readonly number[]];
      const dims = productDims(c, a, b, transA !== 0, transB !== 0) as number[];
      return elementCount(dims) * matrixOf(a, 'left', transA !== 0)[1];
    },
  },
  reference(c, parameters) {
    const { transA, transB, alpha } = parameters;
    const [a, b] = [widened(c.tensor(0), transA !== 0), widened(c.tensor(1), transB !== 0)];
    const sums = multiplyOnHost(a, b, c.result(0).dims).data as Float64Array;
    return [
      finished(
        c,
        sums.map((sum) => alpha * sum),
        parameters,
      ),
    ];
  },
};

/** A tensor as float64, its matrices optionally transposed. */
function widened(x: TensorValue, transposed: boolean): TensorValue {
  const wide: TensorValue = { type: 'float64', dims: x.dims, data: Float64Array.from(numbersOf(x)) };
  if (!transposed || x.dims.length < 2) return wide;
  const swapped = (sizes: readonly number[]) => [...sizes.slice(0, -2), ...sizes.slice(-2).reverse()];
  return evaluateStrided(wide, swapped(x.dims), swapped(stridesOf(x.dims)), 0);
}

export const matMulOperator = defineOp({
  domain: 'sardonyx',
  name: 'MatMul',
  signature: 'A: T, B: T, bias?: T, residual?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { transA: int(0), transB: int(0), alpha: float(1), ...epilogueAttributes },
  guarded: true,
  infer(c) {
    const { transA, transB } = c.attributes;
    const dims = productDims(c, c.dims(0), c.dims(1), transA !== 0, transB !== 0);
    const b = c.dims(1);
    requireEpilogue(c, b && matrixOf(b, 'right', transB !== 0)[1], dims);
    return [like(c, 0, dims)];
  },
  computes: by(matmul, (c: Inference<ProductParameters>) => c.attributes),
});
