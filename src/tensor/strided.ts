import { ELEMENTS, type ElementType, type TypedArray } from './element-types.js';
import { emptyEntries, entriesOf, tensorOfEntries } from './packed.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Reads `x` along `dims` by strides from an offset, all in elements, for any type. */
export function evaluateStrided(
  x: TensorValue,
  dims: readonly number[],
  strides: readonly number[],
  offset: number,
): TensorValue {
  const { entries = 1 } = ELEMENTS[x.type];
  const data = emptyEntries(x.type, dims);
  const [from, to] = [entriesOf(x), data] as unknown as [TypedArray, TypedArray];
  const count = elementCount(dims);
  const index = new Array<number>(dims.length).fill(0);
  let position = offset;
  for (let i = 0; i < count; i++) {
    for (let e = 0; e < entries; e++) to[i * entries + e] = from[position * entries + e] as number;
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      position += strides[axis] as number;
      index[axis] = (index[axis] as number) + 1;
      if ((index[axis] as number) < (dims[axis] as number)) break;
      position -= (dims[axis] as number) * (strides[axis] as number);
      index[axis] = 0;
    }
  }
  return tensorOfEntries(x.type, dims, data);
}

export const isWholeBytes = (element: ElementType): boolean => ELEMENTS[element].bits >= 8;
