import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { productDims } from '../../../primitives/product-dims.js';
import { defineOp } from '../../../schema/definition.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { emitOne } from '../../emit.js';
import { centered, exactProduct } from './exact-product.js';
import { perRow } from './granularity.js';

const [A, B, A_ZERO, B_ZERO] = [0, 1, 2, 3];

/** https://onnx.ai/onnx/operators/onnx__MatMulInteger.html */
export const matMulInteger = defineOp({
  name: 'MatMulInteger',
  since: 10,
  signature: 'A: T1, B: T2, a_zero_point?: T1, b_zero_point?: T2 -> Y: T3',
  types: { T1: ['int8', 'uint8'], T2: ['int8', 'uint8'], T3: ['int32'] },
  infer: (c) => [tensorType('int32', productDims(c, c.dims(A), c.dims(B)))],
  decompose(c) {
    const b = c.dims(B);
    const terms = b?.at(b.length > 1 ? -2 : -1) ?? c.dims(A)?.at(-1);
    const rows = c.given(A_ZERO) ? c.dims(A_ZERO) : [];
    if (!b || !rows || typeof terms !== 'number') return undefined;
    const columns = b.length > 1 ? (b.at(-1) as number) : 1;
    const matrix = terms * columns;
    const count = elementCount(b as number[]);
    const a = centered(c, A, A_ZERO, perRow(c, rows));
    const weights = {
      input: B,
      zeroPoint: B_ZERO,
      terms,
      columns: (count / Math.max(matrix, 1)) * columns,
      column: (i: number) => Math.floor(i / matrix) * columns + (i % columns),
      shape: (zeroPoint: Value) => zeroPoint,
      zeroAt: (zeros: ArrayLike<number>, i: number) => zeros[columnOfZero(zeros.length, i, columns, matrix)] as number,
    };
    return [exactProduct(c, weights, (digit) => emitOne(c, 'MatMul', [a, digit]))];
  },
});

/** Zero points are one, one per column, or one per column of each matrix. */
const columnOfZero = (zeros: number, i: number, columns: number, matrix: number): number =>
  zeros === 1 ? 0 : zeros === columns ? i % columns : Math.floor(i / matrix) * columns + (i % columns);
