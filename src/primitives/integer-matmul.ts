import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { elementCount } from '../tensor/tensor-value.js';
import {
  centered,
  finishedIntegers,
  type IntegerEpilogue,
  integerAttributes,
  integerSignature,
  integerTypes,
  requireIntegerEpilogue,
  resultOf,
  W,
  W_ZERO,
  X,
  X_ZERO,
} from './integer-epilogue.js';
import { multiplyOnHost } from './multiply-on-host.js';
import { matrixOf, productDims } from './product-dims.js';

/** finish((X − x_zero) · (W − w_zero)) on 8-bit integers; sums are int32, modulo 2³². */
export const integerMatMul: Primitive<IntegerEpilogue> = {
  name: 'integer matmul',
  facts: {
    multiplyAdds: (c) => {
      const [x, w] = [c.dims(X), c.dims(W)] as [readonly number[], readonly number[]];
      return elementCount(productDims(c, x, w) as number[]) * matrixOf(x, 'left', false)[1];
    },
  },
  reference(c, epilogue) {
    const [rows, depth] = matrixOf(c.tensor(X).dims, 'left', false);
    const [, columns] = matrixOf(c.tensor(W).dims, 'right', false);
    const x = centered(c, X, X_ZERO, (at) => Math.floor(at / depth) % rows);
    const w = centered(c, W, W_ZERO, (at) => at % columns);
    const sums = multiplyOnHost(x, w, c.result(0).dims).data as Int32Array;
    return [finishedIntegers(c, sums, columns, epilogue)];
  },
};

export const integerMatMulOperator = defineOp({
  domain: 'sardonyx',
  name: 'IntegerMatMul',
  signature: integerSignature,
  types: integerTypes,
  attributes: integerAttributes,
  guarded: true,
  infer(c) {
    const [x, w] = [c.dims(X), c.dims(W)];
    const dims = productDims(c, x, w);
    requireIntegerEpilogue(c, x && matrixOf(x, 'left', false)[0], w && matrixOf(w, 'right', false)[1]);
    return [tensorType(resultOf(c), dims)];
  },
  computes: by(integerMatMul, (c: Inference<IntegerEpilogue>) => c.attributes),
});
