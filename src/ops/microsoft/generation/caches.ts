import { emptyData } from '../../../tensor/empty-data.js';
import { joinRows, takeRows } from '../../../tensor/rows.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { elementCount } from '../../../tensor/tensor-value.js';

/** The batch axis of a cache: [batch,heads,length,size], or keys and values in one tensor, [2,batch,heads,length,size]. */
const batchAxis = (dims: readonly number[]) => dims.length - 4;

/** Moves row `sources[i]` of the cache's batch to row i. */
export function reordered(cache: TensorValue, sources: readonly number[]): TensorValue {
  const { dims } = cache;
  const axis = batchAxis(dims);
  const outer = elementCount(dims.slice(0, axis));
  const batch = dims[axis] as number;
  const all = Array.from({ length: outer }, (_, o) => sources.map((source) => o * batch + source)).flat();
  return takeRows(cache, all, elementCount(dims.slice(axis + 1)), dims.with(axis, sources.length));
}

/** Repeats each row of the first axis `copies` times. */
export function repeated(x: TensorValue, copies: number): TensorValue {
  if (copies === 1) return x;
  const [batch = 0, ...rest] = x.dims;
  const sources = Array.from({ length: batch * copies }, (_, i) => Math.floor(i / copies));
  return takeRows(x, sources, elementCount(rest), [sources.length, ...rest]);
}

/** Extends a cache [batch,heads,length,size] with zeros to `limit` tokens. */
export function lengthened(cache: TensorValue, limit: number): TensorValue {
  const [length = 0] = cache.dims.slice(2);
  const room = cache.dims.with(2, limit - length);
  const zeros = { type: cache.type, dims: room, data: emptyData(cache.type, room) } as TensorValue;
  return joinRows([cache, zeros], cache.dims.with(2, limit), 2);
}
