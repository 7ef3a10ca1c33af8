import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, pick } = draw(15);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 4) }, () => int(1, 7));
  if (i === 0) dims[0] = 0;
  return {
    label: `[${dims}]`,
    inputs: [floats(dims, pick([0.1, 1, 5])), floats(dims.slice(-1))],
    constants: chance(0.5) ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'BiasGelu', cases };
