import { view } from '../../../primitives/view.js';
import { lowersBySize } from '../lowering.js';

/** The data stay where they are; nothing runs. */
export const views = lowersBySize(view, (c) => {
  c.alias(0, 0);
  return undefined;
});
