import type { Along } from '../../../primitives/along.js';
import { gather } from '../../../primitives/gather.js';
import { outsideOf, positionOf } from '../../../schema/positions.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { aboutAxis } from '../../../tensor/rows.js';
import { rowsOf } from '../../../tensor/stored-tensor.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { itemsOfTile } from './grain.js';
import { copyStrided } from './strided-copy.js';

/** One known index along the axis needs no gathering: the rows are a slice of the data. */
function lowerSlice(c: Lowering, axis: number, index: number): 'host' | undefined {
  const dims = c.shape(0);
  const { outer, length, inner } = aboutAxis(dims, axis);
  const offset = positionOf(c, index, length, axis) * inner;
  if (outer === 1) {
    c.isEven();
    c.alias(0, 0, (offset * ELEMENTS[c.element(0)].bits) / 8);
    return;
  }
  const from = { place: c.input(0), strides: [length * inner, 1], offset };
  return copyStrided(c, c.element(0), [outer, inner], from, { place: c.output(0), strides: [inner, 1] });
}

function lowerGather(c: Lowering, { axis }: Along): 'host' | undefined {
  if (!isWholeBytes(c.element(0)) || (axis === 0 && rowsOf(c.contents(0)))) return 'host';
  const dims = c.shape(0);
  const tuples = elementCount(c.shape(1));
  if (tuples === 1 && c.hasContents(1)) return lowerSlice(c, axis, Number(c.contents(1)?.data[0]));
  const { outer, length, inner } = aboutAxis(dims, axis);
  if (length === 0 && tuples > 0) c.fail('INVALID_SHAPE', `axis ${axis} of [${dims}] is empty`);
  const rowBytes = (inner * ELEMENTS[c.element(0)].bits) / 8;
  const tileRows = itemsOfTile(rowBytes / 4 + 8);
  c.isEven();
  const params = {
    x: c.input(0),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, outsideOf({ dims: [length], axis })),
    table: c.table(Int32Array.of(length, 1)),
    depth: 1,
    indexBytes: ELEMENTS[c.element(1)].bits / 8,
    batches: outer,
    batchRows: length,
    tuples,
    indexBatch: 0,
    rowBytes,
    tileRows,
  };
  const tiles = { count: outer * tuples, per: tileRows, times: Math.min(rowBytes, 1) };
  c.launch('gather', params, tiles, { writes: [c.output(0)] });
}

export const gathers = lowers(gather, lowerGather);
