import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { tensorOf } from '../../tensor/numbers.js';
import { emitOne, reshapeTo } from '../emit.js';

type Context = Decomposition<unknown>;

/** Determines which keys a query sees. */
export interface Sight {
  /** Query i sees keys up to i + offset. With `lengths`, the offset is the number of keys minus that of queries. */
  readonly causal: { readonly offset: number } | undefined;
  /** Number of keys of each batch element, int32; null: all. */
  readonly lengths: Value | null;
  /** Limits the visible keys to the last `window`; undefined: no limit. */
  readonly window: number | undefined;
}

const int32 = (c: Context, dims: readonly number[], values: readonly number[]) =>
  c.constant(tensorOf('int32', dims, values));

const range = (length: number) => Array.from({ length }, (_, i) => i);

/** 0 if `seen`, else −∞. */
export const maskOf = (c: Context, seen: Value): Value => {
  const [shown, hidden] = [0, Number.NEGATIVE_INFINITY].map((x) => c.constant(tensorOf('float32', [], [x])));
  return emitOne(c, 'Where', [seen, shown as Value, hidden as Value]);
};

/** A constant mask, for limits that are known before the run. */
function knownMask(c: Context, { causal, window }: Sight, queries: number, keys: number): Value | null {
  if (!causal) return null;
  const isHidden = (i: number, j: number) =>
    j > i + causal.offset || (window !== undefined && j <= i + causal.offset - window);
  const values = range(queries).flatMap((i) => range(keys).map((j) => (isHidden(i, j) ? Number.NEGATIVE_INFINITY : 0)));
  return values.includes(Number.NEGATIVE_INFINITY) ? c.constant(tensorOf('float32', [queries, keys], values)) : null;
}

/** Mask to add to scores [batch, heads, queries, keys]: hides keys that a query does not see; null if all are visible. */
export function sightMask(c: Context, sight: Sight, queries: number, keys: number): Value | null {
  const { causal, lengths, window } = sight;
  if (!lengths) return knownMask(c, sight, queries, keys);
  const emit = (operator: string, a: Value, b: Value) => emitOne(c, operator, [a, b]);
  const key = int32(c, [keys], range(keys));
  const count = reshapeTo(c, lengths, [-1, 1, 1, 1]);
  if (!causal) return maskOf(c, emit('Less', key, count));
  const last = emit('Add', emit('Sub', count, int32(c, [], [queries])), int32(c, [queries, 1], range(queries)));
  const seen = emit('LessOrEqual', key, last);
  if (window === undefined) return maskOf(c, seen);
  return maskOf(c, emit('And', seen, emit('Greater', key, emit('Sub', last, int32(c, [], [window])))));
}
