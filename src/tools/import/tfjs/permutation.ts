/** For each axis of a transposed tensor, the axis that it was. */
export type Permutation = readonly number[];

export const isIdentity = (permutation: Permutation): boolean => permutation.every((axis, i) => axis === i);

/** First one, then the other. */
export const compose = (first: Permutation, second: Permutation): Permutation => second.map((i) => first[i] as number);

export const inverse = (permutation: Permutation): Permutation =>
  permutation.map((_, axis) => permutation.indexOf(axis));

/** What is left of it without some of the axes that it makes. */
export function without(permutation: Permutation, axes: readonly number[]): Permutation {
  const left = permutation.filter((_, i) => !axes.includes(i));
  const order = [...left].sort((a, b) => a - b);
  return left.map((axis) => order.indexOf(axis));
}

/** From [batch, …, channels] to [batch, channels, …]. */
export const channelsFirst = (rank: number): Permutation =>
  Array.from({ length: rank }, (_, i) => (i === 0 ? 0 : i === 1 ? rank - 1 : i - 1));

export const channelsLast = (rank: number): Permutation => inverse(channelsFirst(rank));
