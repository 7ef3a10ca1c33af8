import { filledLengths, unfilled } from '../../../primitives/filled-lengths.js';
import { integers } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';

/** A table of one row, of which an even index can only be 0: gathering from it checks that. */
function lowerLengths(c: Lowering): undefined {
  const params = {
    x: c.input(1),
    indices: c.input(0),
    y: c.output(0),
    flag: c.guard(0, (excess) => unfilled(integers(excess))),
    table: c.table(Int32Array.of(1, 1)),
    depth: 1,
    indexBytes: 4,
    batches: 1,
    batchRows: 1,
    tuples: 1,
    indexBatch: 0,
    rowBytes: 4,
    tileRows: 1,
  };
  c.launch('gather', params, 1, { writes: [c.output(0)] });
}

export const lengthChecks = lowers(filledLengths, lowerLengths);
