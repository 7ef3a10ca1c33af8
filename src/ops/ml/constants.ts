import type { Attribute } from '../../graph/graph.js';
import { tensorOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

type FloatType = 'float32' | 'float64';

const made = new WeakMap<readonly number[], Map<string, TensorValue>>();

/** A list attribute as a tensor. Returns the same object each time, since packed weights are cached by it. */
export function floatTensor(
  list: readonly number[],
  dims: readonly number[],
  type: FloatType = 'float32',
): TensorValue {
  const forms = made.get(list) ?? new Map<string, TensorValue>();
  made.set(list, forms);
  const form = `${type}[${dims}]`;
  const tensor = forms.get(form) ?? tensorOf(type, dims, list);
  forms.set(form, tensor);
  return tensor;
}

/** The attribute of a Cast to float32. */
export const TO_FLOAT32: Record<string, Attribute> = { to: { type: 'int', value: 1 } };

/** Integers as a constant tensor. */
export const indices = (...values: readonly number[]): TensorValue => ({
  type: 'int64',
  dims: [values.length],
  data: BigInt64Array.from(values, BigInt),
});
