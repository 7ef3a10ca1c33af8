import { view } from '../../../primitives/view.js';
import { lowers } from '../lowering.js';

/** The data stay where they are; nothing runs. */
export const views = lowers(view, (c) => {
  c.alias(0, 0);
  return undefined;
});
