import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { tensorOf } from '../../tensor/numbers.js';
import { emitOne, listOf, reshapeTo } from '../emit.js';
import { shapeOf, sizesAlong } from '../emit-shapes.js';

type Context = Decomposition<unknown>;

interface Padded {
  readonly batch: number;
  readonly rows: number;
  /** Number of past keys, which a mask of new keys omits. */
  readonly past: number;
  /** Past keys or values, [batch, heads, rows, columns]. */
  readonly cache: Value | null;
  /** Positions of the keys, int32. */
  readonly places: () => Value;
  /** Number of batch elements, as an int64 list. */
  readonly count: () => Value;
  /** Total number of keys. */
  readonly keys: number;
  /** Whether the cache has unused room after the keys. Masks do not cover it; those keys are hidden separately. */
  readonly hasRoom: boolean;
}

const filtered = (c: Context, seen: Value, filter: number): Value => {
  const [shown, hidden] = [0, filter].map((x) => c.constant(tensorOf('float32', [], [x])));
  return emitOne(c, 'Where', [seen, shown as Value, hidden as Value]);
};

/** A list in a shape that broadcasts over [batch, heads, queries, keys]. */
const column = (c: Context, list: Value): Value => reshapeTo(c, list, [-1, 1, 1, 1]);

/** Keys before the length of each batch element; with 2 · batch numbers, also from its start on. */
function byLengths(c: Context, list: Value, words: number, { batch, places, count }: Padded): Value {
  const key = places();
  if (words === batch) return emitOne(c, 'Less', [key, column(c, list)]);
  const lengths = emitOne(c, 'Slice', [list, listOf(c, [0]), count()]);
  const before = emitOne(c, 'Less', [key, column(c, lengths)]);
  if (words !== 2 * batch) return before;
  const starts = emitOne(c, 'Slice', [list, count(), listOf(c, [Number.MAX_SAFE_INTEGER])]);
  return emitOne(c, 'And', [before, emitOne(c, 'GreaterOrEqual', [key, column(c, starts)])]);
}

/** Keys that a mask of ones and zeros shows; keys that it does not cover are visible. */
function byFlags(
  c: Context,
  mask: Value,
  dims: readonly number[],
  { past, keys, cache, count, hasRoom }: Padded,
): Value {
  const seen = emitOne(c, 'Greater', [mask, c.constant(tensorOf('int32', [], [0]))]);
  const own = dims.at(-1) as number;
  const apart = emitOne(c, 'Unsqueeze', [seen, listOf(c, dims.length === 3 ? [1] : [1, 2])]);
  if (own === keys || !cache) return apart;
  const room = sizesAlong(c, cache, 2, 3);
  const missing = hasRoom ? emitOne(c, 'Sub', [room, sizesAlong(c, mask, dims.length - 1, dims.length)]) : room;
  const shape = shapeOf(c, count(), 1, 1, missing);
  const shown = emitOne(c, 'Expand', [c.constant(tensorOf('bool', [], [1])), shape]);
  const parts = !hasRoom && own === keys - past ? [shown, apart] : [apart, shown];
  return emitOne(c, 'Concat', parts, { axis: { type: 'int', value: -1 } });
}

/**
 * Mask to add to the scores: `filter` for keys that input `i` hides. The input has a length per batch element (2 · batch numbers: also a
 * start; 3 · batch + 2 numbers: also values that only packed batches need), or flags per key, for all queries or for each.
 */
export function paddingMask(c: Context, i: number, filter: number, sizes: Padded): Value | null {
  if (!c.given(i)) return null;
  const dims = c.dims(i) as readonly number[];
  const { batch, rows, past, keys, hasRoom } = sizes;
  const isList = dims.length === 1 && [batch, 2 * batch, 3 * batch + 2].includes(dims[0] as number);
  if (isList) return filtered(c, byLengths(c, c.input(i), dims[0] as number, sizes), filter);
  const own = dims.at(-1) as number;
  const fitsRows = dims.length === 2 || (dims.length === 3 && dims[1] === rows && (hasRoom || own === keys));
  const isFlags = fitsRows && dims[0] === batch && (hasRoom ? own <= keys : own === keys || own === keys - past);
  if (isFlags) return filtered(c, byFlags(c, c.input(i), dims, sizes), filter);
  const wanted = `[${batch}], [${2 * batch}], [${3 * batch + 2}], [${batch},${keys - past}], [${batch},${keys}] or [${batch},${rows},${keys}]`;
  return c.fail('INVALID_SHAPE', `the mask, input ${i}, must be ${wanted}, not [${dims}]`);
}
