import { stridesOf } from '../graph/dims.js';
import type { Primitive } from '../schema/definition.js';
import { evaluateStrided } from '../tensor/strided.js';

/** The range of one axis. */
export interface Cut {
  readonly start: number;
  readonly step: number;
  readonly length: number;
}

/** Offset and strides of the cuts in the source, in elements. */
export function walkOf(cuts: readonly Cut[], dims: readonly number[]) {
  const strides = stridesOf(dims);
  return {
    offset: cuts.reduce((sum, { start }, axis) => sum + start * (strides[axis] as number), 0),
    strides: cuts.map(({ step }, axis) => step * (strides[axis] as number)),
  };
}

/** Every `step`-th element of each axis, from `start` on. */
export const slice: Primitive<readonly Cut[]> = {
  name: 'slice',
  facts: { picks: true, moves: () => true },
  reference(c, cuts) {
    const x = c.tensor(0);
    const { offset, strides } = walkOf(cuts, x.dims);
    const lengths = cuts.map(({ length }) => length);
    return [evaluateStrided(x, lengths, strides, offset)];
  },
};
