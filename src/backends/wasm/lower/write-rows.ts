import { outsideRows, ROWS, STARTS, type WriteRowsParameters, writeRows } from '../../../primitives/write-rows.js';
import { byteLength, ELEMENTS } from '../../../tensor/element-types.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { itemsOfTile } from './grain.js';
import { copyStrided } from './strided-copy.js';

function lowerWriteRows(c: Lowering, p: WriteRowsParameters): undefined {
  const element = c.element(0);
  const { batch, heads, fresh, length, columns, offset } = p;
  const pitch = c.outputPitch(0);
  const whole = { strides: [1] };
  if (pitch === undefined)
    copyStrided(
      c,
      element,
      [elementCount(c.shape(0))],
      { place: c.input(0), ...whole },
      { place: c.output(0), ...whole },
    );
  const rowBytes = byteLength(element, columns);
  const matrices = batch * heads;
  if (matrices * fresh * rowBytes === 0) return;
  const tileMatrices = itemsOfTile((fresh * rowBytes) / 4 + 8);
  const params = {
    x: c.input(ROWS),
    starts: c.input(STARTS),
    y: c.output(0),
    flag: c.guard(STARTS, outsideRows(p)),
    indexBytes: ELEMENTS[c.element(STARTS)].bits / 8,
    ...{ offset, batch, heads, fresh, length, rowBytes, tileMatrices },
    pitch: pitch ?? length,
  };
  c.launch('writeRows', params, Math.ceil(matrices / tileMatrices), { writes: [c.output(0)] });
}

export const rowWriters = lowers(writeRows, lowerWriteRows);
