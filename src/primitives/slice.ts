import { stridesOf } from '../graph/dims.js';
import { add, multiply, type Size } from '../graph/sizes.js';
import type { Primitive } from '../schema/definition.js';
import { evaluateStrided } from '../tensor/strided.js';

/** The part taken from one axis. */
export interface Cut<D extends Size = number> {
  readonly start: D;
  readonly step: number;
  readonly length: D;
}

/** The walk over the source that the cuts describe, in elements. */
export function walkOf<D extends Size>(cuts: readonly Cut<D>[], dims: readonly D[]) {
  const strides = stridesOf(dims);
  return {
    offset: add(...cuts.map(({ start }, axis) => multiply(start, strides[axis] as D))) as D,
    strides: cuts.map(({ step }, axis) => multiply(strides[axis] as D, step) as D),
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
