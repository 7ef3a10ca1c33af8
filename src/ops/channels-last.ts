import type { Attribute, Value } from '../graph/graph.js';
import type { Dim } from '../graph/types.js';
import type { Decomposition } from '../schema/definition.js';

/** Axes of [N, C, spatial…] in the order [N, spatial…, C]. */
export const toChannelsLast = (rank: number): number[] => [0, ...Array.from({ length: rank - 2 }, (_, i) => i + 2), 1];

/** Axes of [N, spatial…, C] in the order [N, C, spatial…]. */
export const toChannelsFirst = (rank: number): number[] => [
  0,
  rank - 1,
  ...Array.from({ length: rank - 2 }, (_, i) => i + 1),
];

/** Dims of [N, spatial…, C] in the order [N, C, spatial…]. */
export const asChannelsFirst = (dims: readonly Dim[] | undefined): Dim[] | undefined =>
  dims && [dims[0] as Dim, dims.at(-1) as Dim, ...dims.slice(1, -1)];

/** The widest window that `sardonyx:PlanarMaxPool` takes. */
export const MAX_PLANAR_WIDTH = 1024;

/** The attribute of a Transpose. */
export const permutation = (perm: readonly number[]): Record<string, Attribute> => ({
  perm: { type: 'ints', value: perm },
});

/**
 * Says an operator on [N, C, spatial…] by its counterpart of domain `sardonyx` on [N, spatial…, C], between two
 * transpositions that the optimizer moves together and cancels.
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
