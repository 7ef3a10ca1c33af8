import { product, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';

interface ShapeAttributes {
  readonly start: number;
  readonly end: number | undefined;
}

const part = (c: Inference<ShapeAttributes>, dims: readonly Size[]) => dims.slice(c.attributes.start, c.attributes.end);

/** https://onnx.ai/onnx/operators/onnx__Shape.html */
export const shape = defineOp({
  name: 'Shape',
  signature: 'data: T -> shape: T1',
  types: { T: ANY, T1: ['int64'] },
  halves: 'carried',
  guarded: true,
  attributes: { start: int(0), end: int() },
  infer(c) {
    const dims = c.dims(0);
    return [tensorType('int64', [dims ? part(c, dims).length : c.unknown()])];
  },
  sizes(c) {
    const dims = c.dims(0);
    return dims && part(c, dims);
  },
  evaluate(c) {
    const dims = part(c, c.tensor(0).dims) as number[];
    return [tensorOf('int64', [dims.length], dims)];
  },
});

/** https://onnx.ai/onnx/operators/onnx__Size.html */
export const size = defineOp({
  name: 'Size',
  signature: 'data: T -> size: T1',
  types: { T: ANY, T1: ['int64'] },
  halves: 'carried',
  guarded: true,
  infer: () => [tensorType('int64', [])],
  sizes(c) {
    const dims = c.dims(0);
    return dims && [product(dims)];
  },
  evaluate: (c) => [tensorOf('int64', [], [elementCount(c.tensor(0).dims)])],
});
