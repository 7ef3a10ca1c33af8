import { fromBfloat16, fromFloat16 } from '../../../../../src/tensor/half.js';
import type { TensorMessage } from './messages.js';

type Numbers = ArrayLike<number>;
type List = 'floats' | 'doubles' | 'integers' | 'longs' | 'halves';

/** The list that holds a type's elements, and their layout in `content`. */
interface Type {
  readonly list: List;
  readonly bytes: number;
  readonly at: (view: DataView, offset: number) => number;
}

/** Types by their DataType in types.proto. */
const TYPES: Readonly<Record<number, Type>> = {
  1: { list: 'floats', bytes: 4, at: (view, offset) => view.getFloat32(offset, true) },
  2: { list: 'doubles', bytes: 8, at: (view, offset) => view.getFloat64(offset, true) },
  3: { list: 'integers', bytes: 4, at: (view, offset) => view.getInt32(offset, true) },
  4: { list: 'integers', bytes: 1, at: (view, offset) => view.getUint8(offset) },
  9: { list: 'longs', bytes: 8, at: (view, offset) => Number(view.getBigInt64(offset, true)) },
  14: { list: 'halves', bytes: 2, at: (view, offset) => fromBfloat16(view.getUint16(offset, true)) },
  19: { list: 'halves', bytes: 2, at: (view, offset) => fromFloat16(view.getUint16(offset, true)) },
};
const FROM_BITS: Readonly<Record<number, (bits: number) => number>> = { 14: fromBfloat16, 19: fromFloat16 };

export const dimsOf = ({ shape }: TensorMessage): readonly number[] => shape?.dims.map(({ size }) => size) ?? [];

/** The last element of a list is repeated to fill the shape, up to this size; nobody logs a larger constant tensor. */
const MOST_REPEATED = 1 << 11;

/** The elements as numbers; empty for non-numeric types. */
export function numbersOf(tensor: TensorMessage): Numbers {
  const type = TYPES[tensor.dtype];
  if (!type) return [];
  const { content } = tensor;
  if (content.length === 0) return repeated(listOf(tensor, type), dimsOf(tensor));
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  return Float64Array.from({ length: Math.floor(content.length / type.bytes) }, (_, i) =>
    type.at(view, i * type.bytes),
  );
}

function listOf(tensor: TensorMessage, { list }: Type): Numbers {
  const decode = FROM_BITS[tensor.dtype];
  return decode ? tensor[list].map(decode) : tensor[list];
}

function repeated(list: Numbers, dims: readonly number[]): Numbers {
  const count = dims.reduce((product, size) => product * size, 1);
  if (list.length === 0 || count <= list.length || count > MOST_REPEATED) return list;
  return Float64Array.from({ length: count }, (_, i) => list[Math.min(i, list.length - 1)] as number);
}
