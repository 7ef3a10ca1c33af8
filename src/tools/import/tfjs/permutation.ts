/** The original axis for each axis of a transposed tensor. */
export type Permutation = readonly number[];

export const isIdentity = (permutation: Permutation): boolean => permutation.every((axis, i) => axis === i);

/** Applies `first`, then `second`. */
export const compose = (first: Permutation, second: Permutation): Permutation => second.map((i) => first[i] as number);

export const inverse = (permutation: Permutation): Permutation =>
  permutation.map((_, axis) => permutation.indexOf(axis));

/** Removes axes of the result from a permutation. */
export function without(permutation: Permutation, axes: readonly number[]): Permutation {
  const left = permutation.filter((_, i) => !axes.includes(i));
  const order = [...left].sort((a, b) => a - b);
  return left.map((axis) => order.indexOf(axis));
}

/** Moves channels from the last to the second axis. */
export const channelsFirst = (rank: number): Permutation =>
  Array.from({ length: rank }, (_, i) => (i === 0 ? 0 : i === 1 ? rank - 1 : i - 1));

export const channelsLast = (rank: number): Permutation => inverse(channelsFirst(rank));
