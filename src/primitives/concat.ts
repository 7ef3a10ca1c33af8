import type { Primitive } from '../schema/definition.js';
import { joinRows } from '../tensor/rows.js';
import { type Along, movedAxis } from './along.js';

/** Concatenates the operands along an axis. */
export const concat: Primitive<Along> = {
  name: 'concat',
  facts: { moves: () => true, beforeTransposition: movedAxis },
  reference(c, { axis }) {
    const parts = Array.from({ length: c.inputCount }, (_, i) => c.tensor(i));
    return [joinRows(parts, c.result(0).dims, axis)];
  },
};
