import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { tensorOf } from '../../tensor/numbers.js';
import { emitOne, listOf, reshapeTo } from '../emit.js';

type Context = Decomposition<unknown>;

interface Padded {
  readonly batch: number;
  readonly rows: number;
  /** Number of past keys, which a mask of new keys omits. */
  readonly past: number;
  /** Total number of keys. */
  readonly keys: number;
  /** Whether the cache has unused room after the keys. Masks do not cover it; those keys are hidden separately. */
  readonly hasRoom: boolean;
}

const filtered = (c: Context, seen: Value, filter: number): Value => {
  const [shown, hidden] = [0, filter].map((x) => c.constant(tensorOf('float32', [], [x])));
  return emitOne(c, 'Where', [seen, shown as Value, hidden as Value]);
};

/** Takes `batch` numbers of a list from index `at` on, in a shape that broadcasts over [batch, heads, queries, keys]. */
function column(c: Context, list: Value, at: number, batch: number): Value {
  const words = emitOne(c, 'Slice', [list, listOf(c, [at]), listOf(c, [at + batch])]);
  return reshapeTo(c, words, [batch, 1, 1, 1]);
}

/** Keys before the length of each batch element; with 2 · batch numbers, also from its start on. */
function byLengths(c: Context, list: Value, words: number, { batch, keys }: Padded): Value {
  const key = c.constant(
    tensorOf(
      'int32',
      [keys],
      Array.from({ length: keys }, (_, i) => i),
    ),
  );
  const before = emitOne(c, 'Less', [key, column(c, list, 0, batch)]);
  if (words !== 2 * batch) return before;
  return emitOne(c, 'And', [before, emitOne(c, 'GreaterOrEqual', [key, column(c, list, batch, batch)])]);
}

/** Keys that a mask of ones and zeros shows; keys that it does not cover are visible. */
function byFlags(
  c: Context,
  mask: Value,
  dims: readonly number[],
  { batch, rows, past, keys, hasRoom }: Padded,
): Value {
  const seen = emitOne(c, 'Greater', [mask, c.constant(tensorOf('int32', [], [0]))]);
  const own = dims.at(-1) as number;
  const apart = reshapeTo(c, seen, [batch, 1, dims.length === 3 ? rows : 1, own]);
  if (own === keys) return apart;
  const missing = [batch, 1, 1, keys - own];
  const shown = c.constant(tensorOf('bool', missing, new Array<number>(batch * (keys - own)).fill(1)));
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
