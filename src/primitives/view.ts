import type { Primitive } from '../schema/definition.js';

/** The data of operand 0 under another type. No kernel runs. */
export const view: Primitive<true> = {
  name: 'view',
  facts: { isView: true, moves: () => true },
  reference(c) {
    const { element, dims } = c.result(0);
    return [{ type: element, dims, data: c.tensor(0).data }];
  },
};
