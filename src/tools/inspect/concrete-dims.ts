import { type Size, substitute } from '../../graph/sizes.js';

/** Dimensions as numbers: those of symbols by their names, 1 for those that have none in `sizes`. */
export const concreteDims = (dims: readonly Size[], sizes: ReadonlyMap<string, number> = new Map()): number[] =>
  dims.map((dim) => substitute(dim, (name) => sizes.get(name) ?? 1) as number);
