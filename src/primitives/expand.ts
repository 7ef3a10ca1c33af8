import { broadcastStrides } from '../graph/dims.js';
import type { Primitive } from '../schema/definition.js';
import { evaluateStrided } from '../tensor/strided.js';

/** Broadcasts the operand to the dims of the result. */
export const expand: Primitive<true> = {
  name: 'expand',
  facts: { moves: () => true },
  reference(c) {
    const x = c.tensor(0);
    const { dims } = c.result(0);
    return [evaluateStrided(x, dims, broadcastStrides(x.dims, dims), 0)];
  },
};
