import { ELEMENTS, type ElementType, type TypedArrayConstructor } from '../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';

export type Key = string | number | bigint;

/** Looks up each element of a tensor in `table`; `fallback` for missing keys. NaN is a key like others. */
export function lookUp(x: TensorValue, table: ReadonlyMap<Key, Key>, fallback: Key, type: ElementType): TensorValue {
  const count = elementCount(x.dims);
  const array = ELEMENTS[type].array as TypedArrayConstructor | null;
  const data = (array ? new array(count) : new Array<string>(count)) as Key[];
  for (let i = 0; i < count; i++) data[i] = table.get(x.data[i] as Key) ?? fallback;
  return { type, dims: x.dims, data: data as never };
}

/** Maps keys to values; among equal keys, the last counts. */
export const tableOf = (keys: ArrayLike<Key>, values: ArrayLike<Key>): Map<Key, Key> =>
  new Map(Array.from(keys, (key, i) => [key, values[i] as Key]));
