import type { Place } from '../../../../bindings/place.js';
import { IntegerResult, IntegerTile } from '../../../../build/quantized-kernels.js';
import { isAtMost, isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product } from '../../../graph/sizes.js';
import { type IntegerEpilogue, W, X } from '../../../primitives/integer-epilogue.js';
import { integerMatMul } from '../../../primitives/integer-matmul.js';
import { matrixOf } from '../../../primitives/product-dims.js';
import { type Lowering, lowers } from '../lowering.js';
import { batchLoops } from './batches.js';
import { integerDots } from './integer-dots.js';
import { integerEpilogueOf } from './integer-epilogue.js';
import { packedIntegers, panelBytes } from './integer-weights.js';

function lowerProduct(c: Lowering, parameters: IntegerEpilogue): 'host' | undefined {
  const [x, w] = [c.shape(X), c.shape(W)];
  const [rows, k] = matrixOf(x, 'left', false);
  const [, n] = matrixOf(w, 'right', false);
  if (!isAtMost(k, IntegerTile.Depth)) return 'host';
  if (isSame(product(c.outputShape(0)), 0)) return undefined;
  const epilogue = integerEpilogueOf(c, parameters);
  const matrices = product(w.slice(0, -2));
  const oneW = isSame(matrices, 1) && epilogue.xZeroStep === 0;
  const m = oneW ? product(x.slice(0, -1)) : rows;
  const loops = oneW ? batchLoops([], []) : batchLoops(x.slice(0, -2), w.slice(0, -2));
  const dots = integerDots(c.engine);
  const strides = { tapStride: 0, channelStride: n, columnStride: 1, matrixStride: multiply(k, n) };
  const b = packedIntegers(c, dots, matrices, { columns: n, taps: 1, channels: k, closed: 0, ...strides });
  const matrixBytes = multiply(ceilDivide(n, IntegerTile.Panel), panelBytes(k, dots));
  const ySize = epilogue.result === IntegerResult.Narrow ? 1 : 4;
  const tiles = multiply(ceilDivide(m, IntegerTile.Rows), ceilDivide(n, IntegerTile.Columns));
  const [ofX, ofY] = [multiply(rows, k), multiply(rows, n)];
  for (const { outer, inner, offsets, outerStrides, innerStrides } of loops) {
    const y = c.at(c.output(0), product([offsets[2], ofY, ySize]));
    const params = {
      ...epilogue,
      a: c.at(c.input(X), multiply(offsets[0], ofX)),
      b: c.at(b, multiply(offsets[1], matrixBytes)),
      y,
      ...{ dots, m, n, k, outer, inner, aRowStride: k, yRowStride: n },
      ...{ aOuterStride: multiply(outerStrides[0], ofX), aInnerStride: multiply(innerStrides[0], ofX) },
      ...{ bOuterStride: outerStrides[1], bInnerStride: innerStrides[1] },
      ...{ yOuterStride: multiply(outerStrides[2], ofY), yInnerStride: multiply(innerStrides[2], ofY) },
    };
    c.launch('integerMatMul', params, product([outer, inner, tiles]), { writes: [y as Place] });
  }
  return undefined;
}

export const integerProducts = lowers(integerMatMul, lowerProduct);
