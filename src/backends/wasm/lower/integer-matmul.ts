import type { Place } from '../../../../bindings/place.js';
import { IntegerResult, IntegerTile } from '../../../../build/quantized-kernels.js';
import { type IntegerEpilogue, W, X } from '../../../primitives/integer-epilogue.js';
import { integerMatMul } from '../../../primitives/integer-matmul.js';
import { matrixOf } from '../../../primitives/product-dims.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { batchLoops } from './batches.js';
import { integerDots } from './integer-dots.js';
import { integerEpilogueOf } from './integer-epilogue.js';
import { packedIntegers, panelBytes } from './integer-weights.js';

function lowerProduct(c: Lowering, parameters: IntegerEpilogue): 'host' | undefined {
  const [x, w] = [c.shape(X), c.shape(W)];
  const [rows, k] = matrixOf(x, 'left', false);
  const [, n] = matrixOf(w, 'right', false);
  if (k > IntegerTile.Depth) return 'host';
  if (elementCount(c.outputShape(0)) === 0) return undefined;
  const epilogue = integerEpilogueOf(c, parameters);
  const matrices = elementCount(w.slice(0, -2));
  const oneW = matrices === 1 && epilogue.xZeroStep === 0;
  const m = oneW ? elementCount(x.slice(0, -1)) : rows;
  const loops = oneW ? batchLoops<number>([], []) : batchLoops(x.slice(0, -2), w.slice(0, -2));
  const dots = integerDots(c.engine);
  const strides = { tapStride: 0, channelStride: n, columnStride: 1, matrixStride: k * n };
  const b = packedIntegers(c, dots, matrices, { columns: n, taps: 1, channels: k, closed: 0, ...strides });
  const matrixBytes = Math.ceil(n / IntegerTile.Panel) * panelBytes(k, dots);
  const ySize = epilogue.result === IntegerResult.Narrow ? 1 : 4;
  const tiles = Math.ceil(m / IntegerTile.Rows) * Math.ceil(n / IntegerTile.Columns);
  for (const { outer, inner, offsets, outerStrides, innerStrides } of loops) {
    const y = c.at(c.output(0), offsets[2] * rows * n * ySize);
    const params = {
      ...epilogue,
      a: c.at(c.input(X), offsets[0] * rows * k),
      b: c.at(b, offsets[1] * matrixBytes),
      y,
      ...{ dots, m, n, k, outer, inner, aRowStride: k, yRowStride: n },
      ...{ aOuterStride: outerStrides[0] * rows * k, aInnerStride: innerStrides[0] * rows * k },
      ...{ bOuterStride: outerStrides[1], bInnerStride: innerStrides[1] },
      ...{ yOuterStride: outerStrides[2] * rows * n, yInnerStride: innerStrides[2] * rows * n },
    };
    c.launch('integerMatMul', params, outer * inner * tiles, { writes: [y as Place] });
  }
  return undefined;
}

export const integerProducts = lowers(integerMatMul, lowerProduct);
