import { tensorType } from '../../graph/types.js';
import { int, ints, strings } from '../../schema/attributes.js';
import { NUMERIC } from '../../schema/batch.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { type Key, tableOf } from './lookup.js';

interface Attributes {
  readonly cats_int64s: readonly number[] | undefined;
  readonly cats_strings: readonly string[] | undefined;
}

/** The categories for the type of the input. */
function categoriesOf(c: Inference<Attributes>): readonly Key[] {
  const list = c.element(0) === 'string' ? 'cats_strings' : 'cats_int64s';
  const categories = c.attributes[list];
  return categories?.length
    ? categories
    : c.fail('INVALID_ATTRIBUTE', `needs ${list} for an input of type ${c.element(0)}`);
}

/** https://onnx.ai/onnx/operators/onnx_aionnxml_OneHotEncoder.html; floats are truncated to integers. */
export const oneHotEncoder = defineOp({
  domain: 'ai.onnx.ml',
  name: 'OneHotEncoder',
  signature: 'X: T -> Y: float32',
  types: { T: [...NUMERIC, 'string'] },
  attributes: { cats_int64s: ints(), cats_strings: strings(), zeros: int(1) },
  infer(c) {
    const dims = c.dims(0);
    return [tensorType('float32', dims && [...dims, categoriesOf(c).length])];
  },
  evaluate(c) {
    const { zeros } = c.attributes;
    const x = c.tensor(0);
    const isText = x.type === 'string';
    const categories = categoriesOf(c);
    const places = tableOf(categories, [...categories.keys()]);
    const count = elementCount(x.dims);
    const data = new Float32Array(count * categories.length);
    for (let i = 0; i < count; i++) {
      const key = isText ? (x.data[i] as string) : Math.trunc(Number(x.data[i]));
      const place = places.get(key);
      if (place !== undefined) data[i * categories.length + Number(place)] = 1;
      else if (!zeros)
        c.fail('INVALID_VALUE', `${key} is not one of the categories ${categories.slice(0, 8).join(', ')}`);
    }
    return [{ type: 'float32', dims: [...x.dims, categories.length], data }];
  },
});
