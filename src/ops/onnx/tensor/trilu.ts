import { isKnown } from '../../../graph/sizes.js';
import { registerOf } from '../../../primitives/expression.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { numberAt, sameAsInput } from '../../../schema/shapes.js';
import { emptyData } from '../../../tensor/empty-data.js';
import { takeRows } from '../../../tensor/rows.js';

/** Ones at and above (below) the k-th diagonal. */
function triangle(rows: number, columns: number, k: number, upper: boolean): Uint8Array {
  return Uint8Array.from({ length: rows * columns }, (_, i) => {
    const distance = (i % columns) - Math.floor(i / columns);
    return Number(upper ? distance >= k : distance <= k);
  });
}

/** https://onnx.ai/onnx/operators/onnx__Trilu.html */
export const trilu = defineOp({
  name: 'Trilu',
  since: 14,
  signature: 'input: T, k?: int64 -> output: T',
  types: { T: ANY },
  attributes: { upper: int(1) },
  planned: [1],
  guarded: true,
  infer(c) {
    const dims = c.dims(0);
    if (dims && dims.length < 2) c.fail('INVALID_SHAPE', `input 0 must be matrices, not [${dims}]`);
    numberAt(c, 1);
    return sameAsInput(c);
  },
  decompose(c) {
    const plane = c.dims(0)?.slice(-2);
    const k = c.given(1) ? c.sizes(1)?.[0] : 0;
    const type = c.element(0);
    if (!isKnown(plane) || typeof k !== 'number' || !registerOf(type)) return undefined;
    const [rows, columns] = plane as [number, number];
    const mask = triangle(rows, columns, k, c.attributes.upper !== 0);
    const zero = c.constant({ type, dims: [], data: emptyData(type, []) });
    return c.emit('Where', [c.constant({ type: 'bool', dims: [rows, columns], data: mask }), c.input(0), zero]);
  },
  evaluate(c) {
    const x = c.tensor(0);
    const [rows, columns] = x.dims.slice(-2) as [number, number];
    const mask = triangle(rows, columns, c.given(1) ? Number(c.tensor(1).data[0]) : 0, c.attributes.upper !== 0);
    const sources = Array.from(x.data as ArrayLike<unknown>, (_, i) => (mask[i % mask.length] ? i : -1));
    return [takeRows(x, sources, 1, x.dims)];
  },
});
