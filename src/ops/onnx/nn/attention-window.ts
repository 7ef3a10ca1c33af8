import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { arithmeticOn, emitOne, reshapeTo } from '../../emit.js';

/** Number of keys before and after its own position that a query sees; -1 means all. */
export interface Window {
  readonly left_window_size?: number;
  readonly right_window_size?: number;
}

/** Positions of queries and keys. If given, `lengths`, int32 [batch], counts the keys up to the last query. */
export interface Positions {
  readonly queries: number;
  readonly keys: number;
  readonly past: number;
  readonly lengths: Value | null;
}

type Context = Decomposition<Window>;

const counted = (c: Context, length: number, dims: readonly number[]): Value =>
  c.constant(
    tensorOf(
      'int32',
      dims,
      Array.from({ length }, (_, i) => i),
    ),
  );

/** Distance from a key to a later query, in a shape that broadcasts to [batch, heads, queries, keys]. */
function distances(c: Context, { queries, keys, past, lengths }: Positions): Value {
  const f = arithmeticOn(c, 'int32');
  const first = lengths ? f('Sub', reshapeTo(c, lengths, [-1, 1, 1, 1]), queries) : past;
  return f('Sub', f('Add', counted(c, queries, [queries, 1]), first), counted(c, keys, [keys]));
}

/** Mask to add to scores: 0 for keys in the window of a query, −∞ for others; null without a window. */
export function windowMask(c: Context, positions: Positions, element: ElementType): Value | null {
  const { left_window_size: left = -1, right_window_size: right = -1 } = c.attributes;
  if (left < 0 && right < 0) return null;
  const f = arithmeticOn(c, 'int32');
  const distance = distances(c, positions);
  const seen = [
    ...(left < 0 ? [] : [f('LessOrEqual', distance, left)]),
    ...(right < 0 ? [] : [f('GreaterOrEqual', distance, -right)]),
  ].reduce((a, b) => emitOne(c, 'And', [a, b]));
  const [shown, hidden] = [0, Number.NEGATIVE_INFINITY].map((x) => c.constant(tensorOf(element, [], [x])));
  return emitOne(c, 'Where', [seen, shown as Value, hidden as Value]);
}
