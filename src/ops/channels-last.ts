import type { Attribute, Value } from '../graph/graph.js';
import { toChannelsFirst, toChannelsLast } from '../primitives/channels-last.js';
import type { Decomposition } from '../schema/definition.js';

/** The attribute of a Transpose. */
export const permutation = (perm: readonly number[]): Record<string, Attribute> => ({
  perm: { type: 'ints', value: perm },
});

/**
 * Rewrites an operator on [N, C, spatial…] to its counterpart of domain `sardonyx` on [N, spatial…, C], between two Transpose nodes that
 * the optimizer moves together and cancels.
 */
export function throughChannelsLast(
  c: Decomposition<unknown>,
  rank: number,
  otherInputs: readonly (Value | null)[] = [],
  attributes: Record<string, Attribute> = c.node.attributes,
): Value[] {
  const [x] = c.emit('Transpose', [c.input(0)], permutation(toChannelsLast(rank))) as [Value];
  const [y] = c.emit(`sardonyx:${c.node.op}`, [x, ...otherInputs], attributes) as [Value];
  return c.emit('Transpose', [y], permutation(toChannelsFirst(rank)));
}
