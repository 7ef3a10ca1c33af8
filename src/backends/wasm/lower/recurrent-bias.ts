import { planElementwise } from '../../../../bindings/elementwise.js';
import type { Place } from '../../../../bindings/place.js';
import type { Lowering } from '../lowering.js';
import { copyStrided } from './strided-copy.js';

/** Sizes of a bias. */
interface BiasSizes {
  readonly directions: number;
  readonly gates: number;
  readonly hidden: number;
}

/**
 * Wb + Rb [directions, gates · hidden] from B [directions, 2 · gates · hidden]; only Wb for the last `separate` gates.
 */
export function sumOfBiases(c: Lowering, i: number, r: BiasSizes, separate: number): Place {
  const rows = r.gates * r.hidden;
  const joined = rows - separate * r.hidden;
  const bytes = 4 * r.directions * rows;
  if (c.hasContents(i)) {
    return c.packed(i, `sum of biases but ${separate}`, bytes, (source, target) => {
      const { f32 } = c.engine;
      for (let d = 0; d < r.directions; d++) {
        const [from, to] = [source / 4 + d * 2 * rows, target / 4 + d * rows];
        for (let j = 0; j < rows; j++) {
          f32[to + j] = (f32[from + j] as number) + (j < joined ? (f32[from + rows + j] as number) : 0);
        }
      }
    });
  }
  const b = c.input(i);
  const target = c.temporary(bytes);
  const strides = [2 * rows, 1];
  const from = { place: b, strides };
  copyStrided(c, 'float32', [r.directions, rows], from, { place: target, strides: [rows, 1] });
  for (let d = 0; d < r.directions; d++)
    addRecurrent(c, c.at(b, 8 * d * rows), c.at(target, 4 * d * rows), rows, joined);
  return target;
}

/** target = Wb + Rb for the first `count` rows of one direction. */
function addRecurrent(c: Lowering, b: Place, target: Place, rows: number, count: number): void {
  const operand = (pointer: Place) => ({ pointer, storage: 'Float32', strides: [1] }) as const;
  const { kernel, params, table, tiles } = planElementwise({
    register: 'F32',
    dims: [count],
    operands: [operand(b), operand(c.at(b, 4 * rows))],
    instructions: [{ op: 'Add', args: [0, 1] }],
    outputs: [{ pointer: target, storage: 'Float32', value: 2 }],
  });
  c.launch(kernel, { ...params, table: c.table(table) }, tiles, { writes: [target] });
}
