import { isSame } from '../../../graph/guards.js';
import { add, ceilDivide, multiply, product } from '../../../graph/sizes.js';
import { type OpenWriteRows, outsideRows, ROWS, STARTS, writeRows } from '../../../primitives/write-rows.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { type Lowering, lowers } from '../lowering.js';
import { itemsOfTile } from './grain.js';
import { copyStrided } from './strided-copy.js';

function lowerWriteRows(c: Lowering, p: OpenWriteRows): undefined {
  const element = c.element(0);
  const { batch, heads, fresh, length, columns, offset } = p;
  const pitch = c.outputPitch(0);
  const whole = { strides: [1] };
  if (pitch === undefined)
    copyStrided(c, element, [product(c.shape(0))], { place: c.input(0), ...whole }, { place: c.output(0), ...whole });
  const rowBytes = ceilDivide(multiply(columns, ELEMENTS[element].bits), 8);
  const matrices = multiply(batch, heads);
  if (isSame(product([matrices, fresh, rowBytes]), 0)) return;
  const tileMatrices = itemsOfTile(add(ceilDivide(multiply(fresh, rowBytes), 4), 8));
  const outside = (starts: TensorValue, sizes: readonly number[]) => {
    const [length, fresh] = sizes as readonly [number, number];
    return outsideRows({ length, fresh, offset })(starts);
  };
  const params = {
    x: c.input(ROWS),
    starts: c.input(STARTS),
    y: c.output(0),
    flag: c.guard(STARTS, outside, [length, fresh]),
    indexBytes: ELEMENTS[c.element(STARTS)].bits / 8,
    ...{ offset, batch, heads, fresh, length, rowBytes, tileMatrices },
    pitch: pitch ?? length,
  };
  c.launch('writeRows', params, ceilDivide(matrices, tileMatrices), { writes: [c.output(0)] });
}

export const rowWriters = lowers(writeRows, lowerWriteRows);
