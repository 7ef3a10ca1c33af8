import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { tensorOf } from '../../tensor/numbers.js';
import { arithmeticOn, emitOne, reshapeTo } from '../emit.js';
import { int32PlacesAlong, int32SizeAlong } from '../emit-shapes.js';

type Context = Decomposition<unknown>;

/** Queries, keys or values of all heads, in float32. */
export interface Heads {
  readonly value: Value;
  /** [batch, heads, rows, columns], whatever the layout of `value`. */
  readonly dims: readonly [batch: number, heads: number, rows: number, columns: number];
  /** Whether the layout of `value` is [batch, rows, heads, columns]. */
  readonly swapped: boolean;
}

/** Determines which keys a query sees. */
export interface Sight {
  /** Query i sees keys up to i + offset. With `lengths`, the offset is the number of keys minus that of queries. */
  readonly causal: { readonly offset: number } | undefined;
  /** Number of keys of each batch element, int32; null: all. */
  readonly lengths: Value | null;
  /** Limits the visible keys to the last `window`; undefined: no limit. */
  readonly window: number | undefined;
}

const range = (length: number) => Array.from({ length }, (_, i) => i);

/** 0 if `seen`, else −∞. */
export const maskOf = (c: Context, seen: Value): Value => {
  const [shown, hidden] = [0, Number.NEGATIVE_INFINITY].map((x) => c.constant(tensorOf('float32', [], [x])));
  return emitOne(c, 'Where', [seen, shown as Value, hidden as Value]);
};

/** A constant mask, for limits that are known before the run; null if all keys are visible. */
export function knownMask(c: Context, { causal, window }: Sight, queries: number, keys: number): Value | null {
  if (!causal) return null;
  const isHidden = (i: number, j: number) =>
    j > i + causal.offset || (window !== undefined && j <= i + causal.offset - window);
  const values = range(queries).flatMap((i) => range(keys).map((j) => (isHidden(i, j) ? Number.NEGATIVE_INFINITY : 0)));
  return values.includes(Number.NEGATIVE_INFINITY) ? c.constant(tensorOf('float32', [queries, keys], values)) : null;
}

/** Whether some query does not see all keys. */
const isLimited = ({ causal, lengths, window = Number.POSITIVE_INFINITY }: Sight, queries: number, keys: number) =>
  lengths !== null || (causal && (keys > causal.offset + 1 || window < queries + causal.offset));

const alongRows = ({ swapped }: Heads) => (swapped ? 1 : 2);

/** Mask to add to scores [batch, heads, queries, keys]: hides keys that a query does not see; null if all are visible. */
export function sightMask(c: Context, sight: Sight, q: Heads, k: Heads): Value | null {
  const { causal, lengths, window } = sight;
  const [queries, keys] = [q.dims[2], k.dims[2]];
  if (!isLimited(sight, queries, keys)) return null;
  const f = arithmeticOn(c, 'int32');
  const key = int32PlacesAlong(c, k.value, alongRows(k));
  const count = lengths && reshapeTo(c, lengths, [-1, 1, 1, 1]);
  if (!causal) return count && maskOf(c, f('Less', key, count));
  const sizeOf = (heads: Heads) => int32SizeAlong(c, heads.value, alongRows(heads));
  const offset = () => (causal.offset === keys - queries ? f('Sub', sizeOf(k), sizeOf(q)) : causal.offset);
  const place = reshapeTo(c, int32PlacesAlong(c, q.value, alongRows(q)), [-1, 1]);
  const last = f('Add', place, count ? f('Sub', count, sizeOf(q)) : offset());
  const seen = f('LessOrEqual', key, last);
  return maskOf(c, window === undefined ? seen : f('And', seen, f('Greater', key, f('Sub', last, window))));
}
