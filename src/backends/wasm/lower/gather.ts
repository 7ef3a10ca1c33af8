import { viewAbout } from '../../../graph/dims.js';
import { fixed, isAtMost, isSame } from '../../../graph/guards.js';
import { add, ceilDivide, formatSizes, minimum, multiply, product, type Size } from '../../../graph/sizes.js';
import type { Along } from '../../../primitives/along.js';
import { gather } from '../../../primitives/gather.js';
import { outsideOf, positionOf } from '../../../schema/positions.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { rowsOf } from '../../../tensor/stored-tensor.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { type Lowering, lowers } from '../lowering.js';
import { itemsOfTile } from './grain.js';
import { copyStrided } from './strided-copy.js';

const bytesOf = (elements: Size, element: ElementType): Size => multiply(elements, ELEMENTS[element].bits / 8);

/** One known index along the axis needs no gathering: the rows are a slice of the data. */
function lowerSlice(c: Lowering, axis: number, index: Size): 'host' | undefined {
  const { outer, length, inner } = viewAbout(c.shape(0), axis);
  const at = isAtMost(0, index) ? index : add(length, index);
  if (!isAtMost(0, at) || isAtMost(length, at)) positionOf(c, fixed(index), fixed(length), axis);
  const offset = multiply(at, inner);
  if (isSame(outer, 1)) {
    c.alias(0, 0, bytesOf(offset, c.element(0)));
    return;
  }
  const from = { place: c.input(0), strides: [multiply(length, inner), 1], offset };
  return copyStrided(c, c.element(0), [outer, inner], from, { place: c.output(0), strides: [inner, 1] });
}

function lowerGather(c: Lowering, { axis }: Along): 'host' | undefined {
  if (!isWholeBytes(c.element(0)) || (axis === 0 && rowsOf(c.contents(0)))) return 'host';
  const dims = c.shape(0);
  const tuples = product(c.shape(1));
  if (c.hasContents(1) && isSame(tuples, 1))
    return lowerSlice(c, axis, c.sizes(1)?.[0] ?? Number(c.contents(1)?.data[0]));
  const { outer, length, inner } = viewAbout(dims, axis);
  if (isSame(length, 0) && !isSame(tuples, 0))
    c.fail('INVALID_SHAPE', `axis ${axis} of [${formatSizes(dims)}] is empty`);
  const rowBytes = bytesOf(inner, c.element(0));
  // The work of a row is counted in words.
  const tileRows = itemsOfTile(add(ceilDivide(rowBytes, 4), 8));
  const params = {
    x: c.input(0),
    indices: c.input(1),
    y: c.output(0),
    flag: c.guard(1, (indices, sizes) => outsideOf({ dims: sizes, axis })(indices), [length]),
    table: c.table([length, 1]),
    depth: 1,
    indexBytes: ELEMENTS[c.element(1)].bits / 8,
    batches: outer,
    batchRows: length,
    tuples,
    indexBatch: 0,
    rowBytes,
    tileRows,
  };
  const tiles = product([ceilDivide(product([outer, tuples]), tileRows), minimum(rowBytes, 1)]);
  c.launch('gather', params, tiles, { writes: [c.output(0)] });
}

export const gathers = lowers(gather, lowerGather);
