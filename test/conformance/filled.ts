import type { ValueType } from '../../src/graph/types.js';
import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';
import { emptyData } from '../../src/tensor/empty-data.js';
import { tensorOf } from '../../src/tensor/numbers.js';
import { elementCount, type HostValue, type TensorValue } from '../../src/tensor/tensor-value.js';

/** An input: dims, or dims with values. */
export type Given = readonly number[] | Values;

interface Values {
  readonly dims: readonly number[];
  readonly values: readonly number[];
  of(type: ElementType): TensorValue;
}

export const given = (dims: readonly number[], ...values: number[]): Values => ({
  dims,
  values,
  of: (type) => tensorFrom(type, dims, values),
});

/** A value of that type; its numbers are 1, 2, 1, 2 … unless `given` says otherwise. */
export function filled(type: ValueType, given: Given): HostValue {
  if (type.kind === 'sequence') return [filled(type.of, given), filled(type.of, given)];
  if (type.kind === 'optional') return filled(type.of, given);
  if (type.kind === 'map') {
    const key = type.key === 'string' ? '1' : 1n;
    const { element } = type.value as { element: ElementType };
    return new Map([[key, element === 'string' ? '1' : element === 'int64' ? 1n : 1]]);
  }
  if (type.kind !== 'tensor') throw new Error('no sparse tensors');
  if ('dims' in given) return given.of(type.element);
  const most = ELEMENTS[type.element].bits === 2 || type.element === 'bool' ? 1 : 2;
  const values = Array.from({ length: elementCount(given) }, (_, i) => Math.min(1 + (i % 2), most));
  return tensorFrom(type.element, given, values);
}

function tensorFrom(type: ElementType, dims: readonly number[], values: readonly number[]): TensorValue {
  if (type === 'string') return { type, dims, data: values.map(String) };
  if (!type.startsWith('complex')) return tensorOf(type, dims, values);
  const data = emptyData(type, dims) as Float32Array;
  values.forEach((x, i) => {
    data[2 * i] = x;
  });
  return { type, dims, data };
}
