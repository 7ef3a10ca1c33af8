import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(27);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const dims = [int(1, 2), int(1, 4), int(2, 5), int(2, 5)];
  return {
    label: `[${dims}]`,
    inputs: [floats(dims, 2, 1)],
    attributes: { ...(i % 2 && { across_channels: (i >> 1) % 2 }), ...(i % 3 && { normalize_variance: (i >> 2) % 2 }) },
    constants: i % 7 === 3 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'MeanVarianceNormalization', domain: '', opset: 8, cases };
