import type { Attribute } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { densify } from '../../../model/sparse.js';
import {
  type AttributeValues,
  float,
  floats,
  int,
  ints,
  sparse,
  string,
  strings,
  tensor,
} from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

const attributes = {
  value: tensor(),
  sparse_value: sparse(),
  value_float: float(),
  value_floats: floats(),
  value_int: int(),
  value_ints: ints(),
  value_string: string(),
  value_strings: strings(),
};

function int64(attribute: Attribute | undefined, values: readonly number[]): BigInt64Array {
  const exact = attribute && 'exact' in attribute ? attribute.exact : undefined;
  return BigInt64Array.from<number | string>(exact ?? values, BigInt);
}

function constantOf(c: Inference<AttributeValues<typeof attributes>>): TensorValue {
  const a = c.attributes;
  const given = Object.keys(c.node.attributes);
  if (given.length > 1) c.fail('INVALID_ATTRIBUTE', `must have one value, not ${given.join(' and ')}`);
  if (a.value) return a.value;
  if (a.sparse_value) return densify(a.sparse_value, c.node.name);
  if (a.value_float !== undefined) return { type: 'float32', dims: [], data: Float32Array.of(a.value_float) };
  if (a.value_floats) return { type: 'float32', dims: [a.value_floats.length], data: new Float32Array(a.value_floats) };
  if (a.value_int !== undefined)
    return { type: 'int64', dims: [], data: int64(c.node.attributes.value_int, [a.value_int]) };
  if (a.value_ints)
    return { type: 'int64', dims: [a.value_ints.length], data: int64(c.node.attributes.value_ints, a.value_ints) };
  if (a.value_string !== undefined) return { type: 'string', dims: [], data: [a.value_string] };
  if (a.value_strings) return { type: 'string', dims: [a.value_strings.length], data: a.value_strings };
  return c.fail('INVALID_ATTRIBUTE', `has no value; expected one of ${Object.keys(attributes).join(', ')}`);
}

/** https://onnx.ai/onnx/operators/onnx__Constant.html */
export const constant = defineOp({
  name: 'Constant',
  signature: '-> output: T',
  types: { T: ANY },
  attributes,
  infer(c) {
    const { type, dims } = constantOf(c);
    return [tensorType(type, dims)];
  },
  evaluate: (c) => [constantOf(c)],
});
