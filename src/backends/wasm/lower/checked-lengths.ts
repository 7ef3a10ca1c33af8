import { maximum, product } from '../../../graph/sizes.js';
import { checkedLengths, complaintOf } from '../../../primitives/checked-lengths.js';
import { type Lowering, lowers } from '../lowering.js';

/** Gathers each length from a table of one row. The index is even, twice the excess, so only 0 is in range. */
function lowerLengths(c: Lowering, message: string): undefined {
  const count = product(c.shape(1));
  const params = {
    x: c.input(1),
    indices: c.input(0),
    y: c.output(0),
    flag: c.guard(0, (excess) => complaintOf(message, excess)),
    table: c.table(Int32Array.of(1, 1)),
    depth: 1,
    indexBytes: 4,
    batches: count,
    batchRows: 1,
    tuples: 1,
    indexBatch: 1,
    rowBytes: 4,
    tileRows: maximum(1, count),
  };
  c.launch('gather', params, 1, { writes: [c.output(0)] });
}

export const lengthChecks = lowers(checkedLengths, lowerLengths);
