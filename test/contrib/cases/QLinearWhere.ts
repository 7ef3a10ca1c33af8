import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels } from '../quantized.js';

const d = draw(16);

const SHAPES = [
  [
    [2, 3, 4],
    [2, 3, 4],
    [2, 3, 4],
  ],
  [[3, 1], [4], [3, 4]],
  [[], [3, 5], [3, 5]],
  [[7], [], [7]],
  [[7], [7], [1]],
  [[2, 1, 3], [1, 5, 1], []],
] as const;

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const [condition, x, y] = SHAPES[i % SHAPES.length] as (typeof SHAPES)[number];
  const result = levels(d, type, { optional: false });
  const given = { optional: false };
  const inputs = [
    d.ints('bool', condition, 0, 1),
    bytes(d, type, x),
    ...(d.chance(0.2) ? result : levels(d, type, given)),
    bytes(d, type, y),
    ...levels(d, type, given),
    ...result,
  ];
  return { label: `${i}: ${type}`, inputs, constants: i % 2 ? allBut(inputs, 0, 1, 4) : [] };
});

export const operator: OperatorCases = { op: 'QLinearWhere', tolerance: EQUAL, cases };
