import { tensorType } from '../../graph/types.js';
import { defineOp } from '../../schema/definition.js';
import { numbersOf } from '../../tensor/numbers.js';

/** Steps that lead to a point, as rows and columns back. */
const MOVES = [
  [1, 1],
  [1, 0],
  [0, 1],
] as const;

/** Points of the cheapest path through costs [rows, columns], from the last to the first. */
function cheapestPath(costs: ArrayLike<number>, rows: number, columns: number): [row: number, column: number][] {
  const width = columns + 1;
  const totals = new Float32Array((rows + 1) * width).fill(Number.POSITIVE_INFINITY);
  const moves = new Uint8Array(totals.length);
  totals[0] = 0;
  for (let row = 1; row <= rows; row++) {
    for (let column = 1; column <= columns; column++) {
      const at = row * width + column;
      const before = MOVES.map(([up, left]) => totals[at - up * width - left] as number);
      // The diagonal only if it is cheaper than both others; up only if it is cheaper than left.
      const [diagonal, up, left] = before as [number, number, number];
      const move = diagonal < up && diagonal < left ? 0 : up < diagonal && up < left ? 1 : 2;
      moves[at] = move;
      totals[at] = (costs[(row - 1) * columns + column - 1] as number) + (before[move] as number);
    }
  }
  const path: [number, number][] = [];
  for (let [row, column] = [rows, columns]; row > 0 || column > 0; ) {
    path.push([row - 1, column - 1]);
    const [up, left] =
      row === 0
        ? MOVES[2]
        : column === 0
          ? MOVES[1]
          : (MOVES[moves[row * width + column] as number] as (typeof MOVES)[0]);
    row -= up;
    column -= left;
  }
  return path;
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.DynamicTimeWarping */
export const dynamicTimeWarping = defineOp({
  domain: 'com.microsoft',
  name: 'DynamicTimeWarping',
  signature: 'input: F -> output: I',
  types: { F: ['float32'], I: ['int32'] },
  infer(c) {
    const dims = c.dims(0);
    const isPlane = dims?.length === 2 || (dims?.length === 3 && (dims[0] === 1 || typeof dims[0] !== 'number'));
    if (dims && !isPlane) c.fail('INVALID_SHAPE', `input 0 must be [M, N] or [1, M, N], not [${dims}]`);
    return [tensorType('int32', [2, c.unknown()])];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const [rows, columns] = x.dims.slice(-2) as [number, number];
    const path = cheapestPath(numbersOf(x), rows, columns).reverse();
    const data = Int32Array.of(...path.map(([row]) => row), ...path.map(([, column]) => column));
    return [{ type: 'int32', dims: [2, path.length], data }];
  },
});
