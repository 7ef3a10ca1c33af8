import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int, pick } = draw(2);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const dims = [...Array.from({ length: int(0, 2) }, () => int(1, 3)), int(i === 0 ? 0 : 1, 6), int(1, 6)];
  const x = pick([floats(dims), floats(dims, 1, 0, 'float64'), ints('int64', dims, -9, 9)]);
  const k = tensor('int64', [], [BigInt(int(-4, 4))]);
  return {
    label: `${x.type}[${dims}]`,
    inputs: i % 3 === 0 ? [x] : [x, k],
    constants: i % 2 ? [1] : [],
    attributes: i % 4 === 0 ? {} : { upper: int(0, 1) },
  };
});

export const operator: OperatorCases = { op: 'Trilu', cases };
