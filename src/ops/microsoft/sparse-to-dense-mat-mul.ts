import { productDims } from '../../primitives/product-dims.js';
import { float, int } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { like } from '../../schema/shapes.js';
import { permutation } from '../channels-last.js';
import { arithmeticOn, emitOne } from '../emit.js';

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.SparseToDenseMatMul: sparse constants are
 * stored dense.
 */
export const sparseToDenseMatMul = defineOp({
  domain: 'com.microsoft',
  name: 'SparseToDenseMatMul',
  signature: 'A: T, B: T -> Y: T',
  types: { T: ['float32', 'float64', 'int64', 'int32', 'uint64', 'uint32'] },
  attributes: { alpha: float(1), transA: int(0), transB: int(0) },
  sparse: [0],
  infer(c) {
    const { transA, transB } = c.attributes;
    return [like(c, 0, productDims(c, c.dims(0), c.dims(1), transA !== 0, transB !== 0))];
  },
  decompose(c) {
    const { alpha, transA, transB } = c.attributes;
    const ranks = [0, 1].map((i) => c.dims(i)?.length);
    if (ranks.includes(undefined)) return undefined;
    const operand = (i: number, swapped: number) => {
      const axes = Array.from({ length: ranks[i] as number }, (_, axis) => axis);
      if (!swapped || axes.length < 2) return c.input(i);
      return emitOne(c, 'Transpose', [c.input(i)], permutation([...axes.slice(0, -2), ...axes.slice(-2).reverse()]));
    };
    const product = emitOne(c, 'MatMul', [operand(0, transA), operand(1, transB)]);
    return [alpha === 1 ? product : arithmeticOn(c, c.element(0))('Mul', product, alpha)];
  },
});
