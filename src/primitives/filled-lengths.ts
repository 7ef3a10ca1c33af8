import { tensorType } from '../graph/types.js';
import { by, defineOp, type Primitive } from '../schema/definition.js';
import { integers } from '../tensor/tensor-value.js';

/** What is wrong with a sequence that is shorter than its cache. */
export const unfilled = (excess: readonly number[]): string =>
  `the only sequence must have as many keys as total_sequence_length says, not ${excess.map((twice) => -twice / 2)} fewer: a cache that grows has no room for padding`;

/** Operand 1, the length of the only sequence, where operand 0, twice by how much it is longer than the cache, is 0. */
export const filledLengths: Primitive<true> = {
  name: 'filled-lengths',
  facts: {},
  reference(c) {
    const excess = integers(c.tensor(0));
    if (excess.some((twice) => twice !== 0)) c.fail('INVALID_VALUE', unfilled(excess));
    return [c.tensor(1)];
  },
};

/** Checks data of a run, which shapes say nothing of. */
export const filledLengthsOperator = defineOp({
  domain: 'sardonyx',
  name: 'FilledLengths',
  signature: 'excess: int32, length: int32 -> lengths: int32',
  infer: () => [tensorType('int32', [1])],
  computes: by(filledLengths, () => true as const),
});
