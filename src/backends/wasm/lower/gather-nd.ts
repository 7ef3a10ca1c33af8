import { stridesOf } from '../../../graph/dims.js';
import { isSame } from '../../../graph/guards.js';
import { add, ceilDivide, multiply, product } from '../../../graph/sizes.js';
import { type GatherNDParameters, gatherND, layoutOf } from '../../../primitives/gather-nd.js';
import { outsideOf } from '../../../schema/positions.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

function lowerGatherND(c: Lowering, { batchDims }: GatherNDParameters): 'host' | undefined {
  const [data, space] = [c.shape(0), c.shape(1)];
  const { depth, indexed, batches, tuples, row } = layoutOf(batchDims, data, space);
  const isEmpty = isSame(product(data), 0) || isSame(product(space), 0);
  if (!isWholeBytes(c.element(0)) || isEmpty) return 'host';
  const rowBytes = multiply(row, ELEMENTS[c.element(0)].bits / 8);
  const rows = multiply(batches, tuples);
  const tileRows = grainOf(rows, add(ceilDivide(rowBytes, 4), 8 * depth));
  const params = {
    x: c.input(0),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, (indices, sizes) => outsideOf({ dims: sizes, axis: batchDims })(indices), indexed),
    table: c.table([...indexed, ...stridesOf(indexed)]),
    depth,
    indexBytes: 8,
    batches,
    batchRows: product(indexed),
    tuples,
    indexBatch: tuples,
    rowBytes,
    tileRows,
  };
  c.launch('gather', params, ceilDivide(rows, tileRows), { writes: [c.output(0)] });
}

export const tupleGathers = lowers(gatherND, lowerGatherND);
