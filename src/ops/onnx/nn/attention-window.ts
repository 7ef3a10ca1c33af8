import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { arithmeticOn, emitOne, reshapeTo } from '../../emit.js';

/** How many keys before and behind its own position a query sees, all where -1. */
export interface Window {
  readonly left_window_size?: number;
  readonly right_window_size?: number;
}

/** What lies around the first query: `lengths` of int32, one a batch, count the keys up to the last one, where they are given. */
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

/** How far before a query's position a key is, broadcasting to [batch, heads, queries, keys]. */
function distances(c: Context, { queries, keys, past, lengths }: Positions): Value {
  const f = arithmeticOn(c, 'int32');
  const first = lengths ? f('Sub', reshapeTo(c, lengths, [-1, 1, 1, 1]), queries) : past;
  return f('Sub', f('Add', counted(c, queries, [queries, 1]), first), counted(c, keys, [keys]));
}

/** 0 for keys in the window of a query and −∞ for others, to be added to scores; null where there is no window. */
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
