import { multiplyOnHost } from '../../../primitives/multiply-on-host.js';
import { productDims } from '../../../primitives/product-dims.js';
import { defineOp } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';
import { throughFloat32 } from '../../through-float32.js';

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
