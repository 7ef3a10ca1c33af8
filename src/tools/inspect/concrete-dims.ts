/** The sizes of open dimensions by their symbols; 1 for those without. */
export const concreteDims = (
  dims: readonly (number | string)[],
  sizes: ReadonlyMap<string, number> = new Map(),
): number[] => dims.map((dim) => (typeof dim === 'number' ? dim : (sizes.get(dim) ?? 1)));
