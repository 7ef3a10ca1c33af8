// Attention with its own projection and one cache for keys and values, rewritten to MultiHeadAttention.

import { intAttribute } from '../../graph/attributes.js';
import type { Attribute, Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { emitOne, listOf, scalarOf } from '../emit.js';

type Context = Decomposition<unknown>;

export interface Projected {
  /** Queries, keys and values, each [batch, length, heads · size]. */
  readonly operands: readonly Value[];
  readonly bias: Value | null;
  readonly mask: Value | null;
  readonly attentionBias: Value | null;
  /** [2, batch, heads, length, size]: keys, then values. */
  readonly past: Value | null;
  /** The filled length of a buffer that past and present share. */
  readonly pastLength: Value | null;
}

const half = (c: Context, past: Value | null, which: 0 | 1): Value | null =>
  past && emitOne(c, 'Gather', [past, scalarOf(c, which)], { axis: intAttribute(0) });

/** Emits the attention; returns its output, and keys and values in one tensor if wanted. */
export function attendProjected(
  c: Context,
  { operands, past, ...rest }: Projected,
  attributes: Record<string, Attribute>,
): Value[] {
  const inputs = [
    ...operands,
    rest.bias,
    rest.mask,
    rest.attentionBias,
    half(c, past, 0),
    half(c, past, 1),
    rest.pastLength,
  ];
  const [y, ...caches] = c.emit('com.microsoft:MultiHeadAttention', inputs, attributes, c.wanted(1) ? 3 : 1) as [Value];
  if (!c.wanted(1)) return [y];
  const parts = caches.map((cache) => emitOne(c, 'Unsqueeze', [cache, listOf(c, [0])]));
  return [y, emitOne(c, 'Concat', parts, { axis: intAttribute(0) })];
}

/** Splits `x` into parts with these numbers of columns. */
export const columnsOf = (c: Context, x: Value, sizes: readonly number[]): Value[] =>
  c.emit('Split', [x, listOf(c, sizes)], { axis: intAttribute(-1) }, sizes.length);
