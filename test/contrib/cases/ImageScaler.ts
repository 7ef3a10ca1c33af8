import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, normal } = draw(24);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = [int(1, 2), int(1, 4), int(i === 1 ? 0 : 1, 5), int(1, 5)];
  const bias = Array.from({ length: dims[1] ?? 0 }, normal);
  return {
    label: `[${dims}]`,
    inputs: [floats(dims)],
    attributes: {
      bias: { type: 'floats', value: bias },
      ...(i % 2 && { scale: { type: 'float', value: 0.3 * i } as const }),
    },
    constants: i % 4 === 3 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'ImageScaler', domain: '', opset: 9, cases };
