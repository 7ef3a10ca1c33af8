import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { arithmeticOn, emitOne, reshapeTo } from '../../emit.js';
import { int32PlacesAlong, int32SizeAlong } from '../../emit-shapes.js';

/** Number of keys before and after its own position that a query sees; -1 means all. */
export interface Window {
  readonly left_window_size?: number;
  readonly right_window_size?: number;
}

/** Queries or keys: [batch, rows, heads, columns] if swapped, else [batch, heads, rows, columns]. */
export interface Rows {
  readonly value: Value;
  readonly swapped: boolean;
}

/** If given, `lengths`, int32 [batch], counts the keys up to the last query. */
export interface Positions {
  readonly q: Rows;
  readonly k: Rows;
  readonly past: Value | null;
  readonly lengths: Value | null;
}

type Context = Decomposition<Window>;

const axisOf = ({ swapped }: Rows) => (swapped ? 1 : 2);

/** Distance from a key to a later query, in a shape that broadcasts to [batch, heads, queries, keys]. */
function distances(c: Context, { q, k, past, lengths }: Positions): Value {
  const f = arithmeticOn(c, 'int32');
  const behind = () => (past ? int32SizeAlong(c, past, 2) : 0);
  const queries = reshapeTo(c, int32PlacesAlong(c, q.value, axisOf(q)), [-1, 1]);
  const first = lengths
    ? f('Sub', reshapeTo(c, lengths, [-1, 1, 1, 1]), int32SizeAlong(c, q.value, axisOf(q)))
    : behind();
  return f('Sub', f('Add', queries, first), int32PlacesAlong(c, k.value, axisOf(k)));
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
