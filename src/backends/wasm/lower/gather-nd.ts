import { stridesOf } from '../../../graph/dims.js';
import { type GatherNDParameters, gatherND, layoutOf } from '../../../primitives/gather-nd.js';
import { outsideOf } from '../../../schema/positions.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { grainOf } from './grain.js';

function lowerGatherND(c: Lowering, { batchDims }: GatherNDParameters): 'host' | undefined {
  const [data, space] = [c.shape(0), c.shape(1)];
  const { depth, indexed, batches, tuples, row } = layoutOf(batchDims, data, space);
  const rowBytes = (row * ELEMENTS[c.element(0)].bits) / 8;
  const isEmpty = elementCount(data) === 0 || elementCount(space) === 0;
  if (!isWholeBytes(c.element(0)) || isEmpty) return 'host';
  const tileRows = grainOf(batches * tuples, rowBytes / 4 + 8 * depth);
  const params = {
    x: c.input(0),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, outsideOf({ dims: indexed, axis: batchDims })),
    table: c.table(Int32Array.from([...indexed, ...stridesOf(indexed)])),
    depth,
    indexBytes: 8,
    batches,
    batchRows: elementCount(indexed),
    tuples,
    indexBatch: tuples,
    rowBytes,
    tileRows,
  };
  c.launch('gather', params, Math.ceil((batches * tuples) / tileRows), { writes: [c.output(0)] });
}

export const tupleGathers = lowers(gatherND, lowerGatherND);
