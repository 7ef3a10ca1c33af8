import type { Primitive } from '../schema/definition.js';
import { positionOf } from '../schema/positions.js';
import { byteLength } from '../tensor/element-types.js';
import { aboutAxis, takeRows } from '../tensor/rows.js';
import { arrayOf, rowsOf } from '../tensor/stored-tensor.js';
import { isWholeBytes } from '../tensor/strided.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';
import type { Along } from './along.js';

/** The slices of operand 0 along an axis at the indices of operand 1. */
export const gather: Primitive<Along> = {
  name: 'gather',
  facts: { picks: true, moves: () => true },
  reference(c, { axis }) {
    const [x, indices] = [c.tensor(0), c.tensor(1)];
    const { outer, length, inner } = aboutAxis(x.dims, axis);
    const positions = integers(indices).map((i) => positionOf(c, i, length, axis));
    const rows = outer === 1 && isWholeBytes(x.type) && rowsOf(x);
    if (rows) {
      const data = arrayOf(x.type, rows(positions, byteLength(x.type, inner)));
      return [{ type: x.type, dims: c.result(0).dims, data } as TensorValue];
    }
    const sources = Array.from({ length: outer }, (_, o) => positions.map((p) => o * length + p)).flat();
    return [takeRows(x, sources, inner, c.result(0).dims)];
  },
};
