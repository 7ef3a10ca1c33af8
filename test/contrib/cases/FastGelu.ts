import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, pick } = draw(14);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 4) }, () => int(1, 7));
  if (i === 0) dims[0] = 0;
  const bias = chance(0.6) ? [floats(dims.slice(-1))] : [];
  return {
    label: `[${dims}]${bias.length > 0 ? ' with bias' : ''}`,
    inputs: [floats(dims, pick([0.1, 1, 5])), ...bias],
    constants: chance(0.5) ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'FastGelu', cases };
