// Places of elements, for loops that say what a model is to compute.

/** Every place in `dims`, row by row. */
export const places = (dims: readonly number[]): number[][] =>
  dims.reduce<number[][]>((all, size) => all.flatMap((at) => Array.from({ length: size }, (_, i) => [...at, i])), [[]]);

/** Index of the element at a place, in a tensor of these dims or of dims that broadcast to those of the place. */
export const offsetOf = (at: readonly number[], dims: readonly number[]): number =>
  dims.reduce((sum, size, axis) => sum * size + (size === 1 ? 0 : (at[at.length - dims.length + axis] as number)), 0);
