import type { HostNode } from '../account.js';
import type { Size } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import { byteLength } from '../tensor/element-types.js';
import type { StoredTensor } from '../tensor/stored-tensor.js';
import { elementCount, type HostValue, isTensorValue } from '../tensor/tensor-value.js';

/** Most types are computed in double precision, and lists of positions have numbers of 8 bytes. */
const BYTES_PER_ELEMENT = 8;

/** A size that is found while computing is at most that of the inputs, as in the [rank, count] of NonZero. */
const MOST_PER_INPUT = 16;

/** The bytes that a node may take while the host computes it, and for its results, as far as types and inputs tell. */
export function needOf(c: HostNode, types: readonly (ValueType | null)[]): number {
  const inputs = Array.from({ length: c.inputCount }, (_, i) => (c.given(i) ? c.value(i) : null));
  const most = sumOf(inputs, elementsOf);
  return (
    BYTES_PER_ELEMENT * sumOf(inputs, entriesOf) + sumOf(types, (type, i) => (c.wanted(i) ? bytesOf(type, most) : 0))
  );
}

const sumOf = <T>(items: readonly T[], of: (item: T, i: number) => number) =>
  items.reduce((sum, item, i) => sum + of(item, i), 0);

const elementsOf = (value: HostValue): number =>
  Array.isArray(value) ? sumOf(value as readonly HostValue[], elementsOf) : entriesOf(value);

/** A sequence's tensors are not copied with it, and tables that stay in their file not at all. */
const entriesOf = (value: HostValue): number =>
  isTensorValue(value)
    ? (value as Partial<Pick<StoredTensor, 'source'>>).source?.rows
      ? 0
      : elementCount(value.dims)
    : Array.isArray(value)
      ? value.length
      : 0;

function bytesOf(type: ValueType | null, inputs: number): number {
  if (type?.kind !== 'tensor') return 0;
  const count = elementBound(type.dims ?? [], type.dims !== undefined, inputs);
  return Math.max(BYTES_PER_ELEMENT * count, type.element === 'string' ? 0 : byteLength(type.element, count));
}

function elementBound(dims: readonly Size[], isRanked: boolean, inputs: number): number {
  const known = dims.filter((dim) => typeof dim === 'number');
  const count = elementCount(known);
  if (isRanked && known.length === dims.length) return count;
  return count <= MOST_PER_INPUT ? count * inputs : Math.max(count, inputs);
}
