import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, ints, pick, unit } = draw(33);

const RANGES: Readonly<Record<'int8' | 'uint8', readonly [number, number]>> = { int8: [-128, 127], uint8: [0, 255] };

const SHAPES: readonly (readonly [readonly number[], readonly number[]])[] = [
  [
    [3, 5],
    [5, 4],
  ],
  [
    [1, 17],
    [17, 9],
  ],
  [
    [7, 33],
    [33, 12],
  ],
  [
    [2, 3, 6],
    [6, 5],
  ],
  [
    [2, 3, 6],
    [2, 6, 5],
  ],
  [
    [9, 4],
    [4, 1],
  ],
  [
    [5, 64],
    [64, 19],
  ],
];

const scale = (dims: readonly number[], size: number) =>
  tensor(
    'float32',
    dims,
    Array.from({ length: dims[0] ?? 1 }, () => size * (0.5 + unit())),
  );

/** onnxruntime takes one scale of a and of y. */
const cases = Array.from({ length: 28 }, (_, i): Case => {
  const [a, b] = SHAPES[i % SHAPES.length] as (typeof SHAPES)[number];
  const type = pick(['uint8', 'int8'] as const);
  const bType = type === 'int8' ? 'int8' : pick(['uint8', 'int8'] as const);
  const perColumn = b.length === 2 && chance(0.5) ? [b.at(-1) as number] : [];
  const bZero = bType === 'int8' && perColumn.length > 0 ? ints(bType, perColumn, 0, 0) : ints(bType, perColumn, 0, 20);
  return {
    label: `${type} [${a}] · ${bType} [${b}], scales [${perColumn}]`,
    inputs: [
      ints(type, a, ...RANGES[type]),
      scale([], 0.02),
      ints(type, [], ...RANGES[type]),
      ints(bType, b, ...RANGES[bType]),
      scale(perColumn, 0.01),
      bZero,
      scale([], pick([0.05, 1])),
      ints(type, [], ...RANGES[type]),
    ],
    constants: chance(0.7) ? [1, 2, 3, 4, 5, 6, 7] : [3, 4, 5],
  };
});

export const operator: OperatorCases = {
  op: 'QLinearMatMul',
  domain: '',
  tolerance: { relative: 0, absolute: 0 },
  cases,
};
