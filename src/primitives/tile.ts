import { stridesOf } from '../graph/dims.js';
import type { Size } from '../graph/sizes.js';
import type { Primitive } from '../schema/definition.js';
import { evaluateStrided } from '../tensor/strided.js';

export interface TileParameters {
  /** Number of repetitions of each axis. */
  readonly repeats: readonly number[];
}

/** Dims and strides over the source: each axis becomes a pair of its repetitions, with stride 0, and its elements. */
export const repeatedWalk = <D extends Size>(dims: readonly D[], repeats: readonly D[]) => ({
  dims: dims.flatMap((dim, axis) => [repeats[axis] as D, dim]),
  strides: stridesOf(dims).flatMap((stride) => [0 as D, stride]),
});

/** The operand repeated along its axes. */
export const tile: Primitive<TileParameters> = {
  name: 'tile',
  facts: { moves: () => true },
  reference(c, { repeats }) {
    const x = c.tensor(0);
    const { dims, strides } = repeatedWalk(x.dims, repeats);
    return [{ ...evaluateStrided(x, dims, strides, 0), dims: c.result(0).dims }];
  },
};
