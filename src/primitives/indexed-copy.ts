import { stridesOf } from '../graph/dims.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { emptyEntries, entriesOf, tensorOfEntries } from '../tensor/packed.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';

/** For each axis of the result, the source position of each of its positions; FILL where there is none. */
export type IndexMaps = readonly Int32Array[];

export const FILL = -1;

/** y[i] = x[maps applied to i], or `fill` where a map has none, in JavaScript. */
export function evaluateIndexed(x: TensorValue, maps: IndexMaps, fill: TensorValue | undefined): TensorValue {
  const dims = maps.map((map) => map.length);
  const strides = stridesOf(x.dims);
  const { entries = 1 } = ELEMENTS[x.type];
  const [from, filling] = [entriesOf(x), fill && entriesOf(fill)];
  const data = emptyEntries(x.type, dims) as unknown[];
  const count = elementCount(dims);
  for (let i = 0; i < count; i++) {
    let position = 0;
    let filled = false;
    for (let axis = dims.length - 1, rest = i; axis >= 0; axis--) {
      const at = (maps[axis] as Int32Array)[rest % (dims[axis] as number)] as number;
      rest = Math.floor(rest / (dims[axis] as number));
      filled ||= at < 0;
      position += at * (strides[axis] as number);
    }
    for (let e = 0; e < entries; e++) {
      if (!filled) data[i * entries + e] = from[position * entries + e];
      else if (filling) data[i * entries + e] = filling[e];
    }
  }
  return tensorOfEntries(x.type, dims, data as string[]);
}
