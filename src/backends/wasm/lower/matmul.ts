import type { Place } from '../../../../bindings/place.js';
import { MatMulTile, type PackMatMulBParams } from '../../../../build/kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { matmul, type ProductParameters } from '../../../primitives/matmul.js';
import { matrixOf } from '../../../primitives/product-dims.js';
import { type Lowering, lowers } from '../lowering.js';
import { batchLoops, type Triple } from './batches.js';
import { epilogueOf } from './epilogue.js';
import { productTiles } from './product-tiles.js';

/** B in panels, matrix by matrix: constants are packed once, other operands by a launch of their own. */
function packedB(c: Lowering, { alpha, transB }: ProductParameters, k: Size, n: Size, matrices: Size): Place {
  const [rowStride, columnStride] = transB ? [1, k] : [n, 1];
  const tiles = multiply(matrices, ceilDivide(n, MatMulTile.Panel));
  const bytes = product([tiles, MatMulTile.Panel, k, 4]);
  const outerStride = multiply(k, n);
  const rest = { n, k, outer: matrices, inner: 1, rowStride, columnStride, outerStride, innerStride: 0, alpha };
  if (c.hasContents(1)) {
    return c.packed(1, `matmul ${String(rowStride)} ${String(columnStride)} ${alpha}`, bytes as number, (b, packed) => {
      c.engine.launch('packMatMulB', { b, packed, ...rest } as PackMatMulBParams, tiles as number);
    });
  }
  const packed = c.temporary(bytes);
  c.launch('packMatMulB', { b: c.input(1), packed, ...rest }, tiles, { writes: [packed] });
  return packed;
}

export function lowerProduct(c: Lowering, parameters: ProductParameters): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const [a, b] = [c.shape(0), c.shape(1)];
  const { transA, transB } = parameters;
  const [rows, k] = matrixOf(a, 'left', transA !== 0);
  const [, n] = matrixOf(b, 'right', transB !== 0);
  const matrices = product(b.slice(0, -2));
  const oneB = isSame(matrices, 1) && !transA;
  const m = oneB ? product(a.slice(0, -1)) : rows;
  const loops = oneB ? batchLoops([], []) : batchLoops(a.slice(0, -2), b.slice(0, -2));
  const panels = product([ceilDivide(n, MatMulTile.Panel), MatMulTile.Panel, k]);
  const sizes = [multiply(rows, k), panels, multiply(rows, n)] as const;
  const { bias, residual, activation, alpha, beta } = epilogueOf(c, parameters);
  const packed = packedB(c, parameters, k, n, matrices);
  for (const { outer, inner, offsets, outerStrides, innerStrides } of loops) {
    const scaled = (triple: Triple, i: 0 | 1 | 2) => multiply(triple[i], sizes[i]);
    const moved = (place: Place, i: 0 | 1 | 2) => c.at(place, multiply(scaled(offsets, i), 4));
    const params = {
      bias,
      activation,
      alpha,
      beta,
      residual: residual && moved(residual as Place, 2),
      a: moved(c.input(0), 0),
      b: moved(packed, 1),
      y: moved(c.output(0), 2),
      m,
      n,
      k,
      outer,
      inner,
      aRowStride: transA ? 1 : k,
      aColumnStride: transA ? rows : 1,
      aOuterStride: scaled(outerStrides, 0),
      aInnerStride: scaled(innerStrides, 0),
      bOuterStride: scaled(outerStrides, 1),
      bInnerStride: scaled(innerStrides, 1),
      yRowStride: n,
      yOuterStride: scaled(outerStrides, 2),
      yInnerStride: scaled(innerStrides, 2),
      residualRowStride: n,
      residualOuterStride: scaled(outerStrides, 2),
      residualInnerStride: scaled(innerStrides, 2),
      biasInnerStride: 0,
    };
    const { tileColumns, tiles } = productTiles(params);
    c.launch('matmul', { ...params, tileColumns }, tiles, { writes: [params.y as Place] });
  }
}

export const products = lowers(matmul, lowerProduct);
