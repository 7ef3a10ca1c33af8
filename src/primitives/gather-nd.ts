import { fixed } from '../graph/guards.js';
import { product, type Size } from '../graph/sizes.js';
import type { Primitive } from '../schema/definition.js';
import { rowsOfTuples } from '../schema/positions.js';
import { takeRows } from '../tensor/rows.js';
import { elementCount } from '../tensor/tensor-value.js';

export interface GatherNDParameters {
  /** Number of leading axes that the operands share. */
  readonly batchDims: number;
}

/** Sizes: batches, the indexed dims of each, the tuples of each, and the length of a row. */
export function layoutOf<D extends Size>(batchDims: number, data: readonly D[], indices: readonly D[]) {
  const depth = fixed(indices.at(-1) as D);
  return {
    depth,
    indexed: data.slice(batchDims, batchDims + depth),
    batches: product(data.slice(0, batchDims)) as D,
    tuples: product(indices.slice(batchDims, -1)) as D,
    row: product(data.slice(batchDims + depth)) as D,
  };
}

/** The rows of operand 0 at the index tuples of operand 1. */
export const gatherND: Primitive<GatherNDParameters> = {
  name: 'gather-nd',
  facts: { picks: true, moves: () => true },
  reference(c, { batchDims }) {
    const [x, indices] = [c.tensor(0), c.tensor(1)];
    const { indexed, tuples, row } = layoutOf(batchDims, x.dims, indices.dims);
    const batchRows = elementCount(indexed);
    const rows = rowsOfTuples(c, indices, { dims: indexed, axis: batchDims }).map(
      (r, t) => Math.floor(t / tuples) * batchRows + r,
    );
    return [takeRows(x, rows, row, c.result(0).dims)];
  },
};
