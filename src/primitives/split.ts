import { stridesOf } from '../graph/dims.js';
import type { Primitive } from '../schema/definition.js';
import { evaluateStrided } from '../tensor/strided.js';
import type { Along } from './along.js';

export interface SplitParameters extends Along {
  /** Length of each result. */
  readonly lengths: readonly number[];
}

/** Splits an axis, one part per result. */
export const split: Primitive<SplitParameters> = {
  name: 'split',
  facts: { moves: () => true },
  reference(c, { axis, lengths }) {
    const x = c.tensor(0);
    const strides = stridesOf(x.dims);
    let start = 0;
    return lengths.map((length) => {
      const part = evaluateStrided(x, x.dims.with(axis, length), strides, start * (strides[axis] as number));
      start += length;
      return part;
    });
  },
};
