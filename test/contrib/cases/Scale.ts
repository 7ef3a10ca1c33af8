import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(22);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = Array.from({ length: i % 5 }, () => int(i === 1 ? 0 : 1, 5));
  return {
    label: `[${dims}]`,
    inputs: [floats(dims)],
    attributes: {
      ...(i % 2 && { scale: { type: 'float', value: 0.5 * i } as const }),
    },
    constants: i % 4 === 3 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'Scale', domain: '', opset: 9, cases };
