import { float, int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';
import { epilogueAttributes, requireEpilogue } from '../../epilogue.js';
import { multiplyOnHost } from '../../multiply-on-host.js';
import { like } from '../../shapes.js';
import { throughFloat32 } from '../../through-float32.js';
import { matrixOf, productDims } from './product-dims.js';

/** activate(alpha · op(A) · op(B) + bias + residual), op a transposition on request. */
export const fusedMatMul = defineOp({
  domain: 'sardonyx',
  name: 'MatMul',
  signature: 'A: T, B: T, bias?: T, residual?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { transA: int(0), transB: int(0), alpha: float(1), ...epilogueAttributes },
  infer(c) {
    const { transA, transB } = c.attributes;
    const dims = productDims(c, c.dims(0), c.dims(1), transA !== 0, transB !== 0);
    const b = c.dims(1);
    requireEpilogue(c, b && matrixOf(b, 'right', transB !== 0)[1], dims);
    return [like(c, 0, dims)];
  },
});

/** https://onnx.ai/onnx/operators/onnx__MatMul.html */
export const matMul = defineOp({
  name: 'MatMul',
  signature: 'A: T, B: T -> Y: T',
  types: { T: NUMBERS },
  infer: (c) => [like(c, 0, productDims(c, c.dims(0), c.dims(1)))],
  decompose: (c) =>
    c.element(0) === 'float32' ? c.emit('sardonyx:MatMul', [c.input(0), c.input(1)]) : throughFloat32(c),
  evaluate: (c) => [multiplyOnHost(c.tensor(0), c.tensor(1), productDims(c, c.dims(0), c.dims(1)) as number[])],
});
