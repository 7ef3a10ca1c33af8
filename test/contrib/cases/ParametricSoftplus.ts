import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(21);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = Array.from({ length: i % 5 }, () => int(i === 1 ? 0 : 1, 5));
  return {
    label: `[${dims}]`,
    inputs: [floats(dims)],
    attributes: {
      ...{ alpha: { type: 'float', value: 0.1 * i + 0.1 } as const },
      ...{ beta: { type: 'float', value: 0.05 * i + 0.1 } as const },
    },
    constants: i % 4 === 3 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'ParametricSoftplus', domain: '', opset: 9, cases };
