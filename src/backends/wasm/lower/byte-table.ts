import { ByteTable } from '../../../../build/quantized-kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, product } from '../../../graph/sizes.js';
import { type ByteTableParameters, byteTable } from '../../../primitives/byte-table.js';
import { type Lowering, lowers } from '../lowering.js';

function lowerTable(c: Lowering, { least }: ByteTableParameters): undefined {
  const count = product(c.outputShape(0));
  if (isSame(count, 0)) return;
  const [x, y] = [c.input(0), c.output(0)];
  const params = { x, y, table: c.input(1), count, flip: -least };
  c.launch('byteTable', params, ceilDivide(count, ByteTable.Tile), { writes: [y], inPlace: [[y, x]] });
}

export const byteTables = lowers(byteTable, lowerTable);
