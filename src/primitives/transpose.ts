import { stridesOf } from '../graph/dims.js';
import type { Primitive } from '../schema/definition.js';
import { evaluateStrided } from '../tensor/strided.js';

export interface TransposeParameters {
  /** The operand's axis for each axis of the result. */
  readonly perm: readonly number[];
}

/** The permutation that undoes `perm`. */
export const inverse = (perm: readonly number[]): number[] => perm.map((_, axis) => perm.indexOf(axis));

/** Permutes the axes. */
export const transpose: Primitive<TransposeParameters> = {
  name: 'transpose',
  facts: { moves: () => true },
  reference(c, { perm }) {
    const x = c.tensor(0);
    const strides = stridesOf(x.dims);
    const pick = (values: readonly number[]) => perm.map((axis) => values[axis] as number);
    return [evaluateStrided(x, pick(x.dims), pick(strides), 0)];
  },
};
