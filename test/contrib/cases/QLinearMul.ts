import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels, shortened } from '../quantized.js';

const d = draw(12);

const SHAPES = [
  [
    [2, 3, 5],
    [2, 3, 5],
  ],
  [[37], [37]],
  [[4, 7], [7]],
  [
    [4, 1],
    [1, 9],
  ],
  [[], [3, 5]],
  [[3, 5], [1]],
  [[], []],
  [[0, 4], [4]],
] as const;

const cases = Array.from({ length: 32 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const [a, b] = SHAPES[i % SHAPES.length] as (typeof SHAPES)[number];
  const plain = { lists: false, optional: false };
  const inputs = shortened([
    bytes(d, type, a),
    ...levels(d, type, plain),
    bytes(d, type, b),
    ...levels(d, type, plain),
    ...levels(d, type, { lists: false, largest: 8 }),
  ]);
  const constants = [[], allBut(inputs, 0, 3), allBut(inputs, 0)][i % 3] as number[];
  return { label: `${i}: ${type} [${a}] [${b}]`, inputs, constants };
});

export const operator: OperatorCases = { op: 'QLinearMul', tolerance: EQUAL, cases };
