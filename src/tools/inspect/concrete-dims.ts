import { type Size, substitute } from '../../graph/sizes.js';

/** Replaces dimension names by their sizes, or 1 if they are not in `sizes`. */
export const concreteDims = (dims: readonly Size[], sizes: ReadonlyMap<string, number> = new Map()): number[] =>
  dims.map((dim) => substitute(dim, (name) => sizes.get(name) ?? 1) as number);
