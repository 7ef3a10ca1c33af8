import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, int, ints, pick } = draw(31);

const RANGES: Readonly<Record<'int8' | 'uint8', readonly [number, number]>> = { int8: [-128, 127], uint8: [0, 255] };

/** [A, B]: vectors, matrices, batches of them. onnxruntime knows no batches of zero points, and none of rows. */
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
    [2, 1, 4, 3],
    [3, 3, 8],
  ],
  [
    [9, 4],
    [4, 1],
  ],
  [
    [1, 1],
    [1, 1],
  ],
  [
    [0, 4],
    [4, 3],
  ],
  [
    [5, 64],
    [64, 19],
  ],
];

const cases = Array.from({ length: 30 }, (_, i): Case => {
  const [a, b] = SHAPES[i % SHAPES.length] as (typeof SHAPES)[number];
  const [ta, tb] = [pick(['uint8', 'int8'] as const), pick(['uint8', 'int8'] as const)];
  const [columns, perColumn] = [b.at(-1) as number, b.length === 2 && chance(0.4)];
  const aZero = chance(0.7) ? ints(ta, [], ...RANGES[ta]) : null;
  const bZero = chance(0.7) ? ints(tb, perColumn ? [columns] : [], ...RANGES[tb]) : null;
  const inputs = [ints(ta, a, ...RANGES[ta]), ints(tb, b, ...RANGES[tb]), aZero, bZero];
  const constants = [[], [1], [1, 2, 3], [1, 3]][int(0, 3)] as number[];
  return {
    label: `${ta} [${a}] · ${tb} [${b}] ${aZero ? 'a zero' : ''} ${bZero ? `b zero [${bZero.dims}]` : ''}`,
    inputs: inputs.slice(0, bZero ? 4 : aZero ? 3 : 2),
    constants: constants.filter((n) => inputs[n]),
  };
});

export const operator: OperatorCases = {
  op: 'MatMulInteger',
  domain: '',
  tolerance: { relative: 0, absolute: 0 },
  cases,
};
