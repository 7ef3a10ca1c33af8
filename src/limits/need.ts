import type { HostNode } from '../account.js';
import type { Size } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import { byteLength } from '../tensor/element-types.js';
import type { StoredTensor } from '../tensor/stored-tensor.js';
import { elementCount, type HostValue, isTensorValue } from '../tensor/tensor-value.js';

/** Most types are computed in double precision, and indices are 8-byte numbers. */
const BYTES_PER_ELEMENT = 8;

/** A size that is found during the computation is at most a multiple of the input's, as in the [rank, count] of NonZero. */
const MOST_PER_INPUT = 16;

/** Estimates the bytes that a node needs in JavaScript for its computation and results, from its types and inputs. */
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

/** Counts a sequence without its tensors, which are not copied, and ignores tables that stay in their file. */
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
