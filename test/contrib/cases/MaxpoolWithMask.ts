import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int } = draw(64);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const rank = [1, 2, 2, 3][i % 4] ?? 2;
  const sizes = Array.from({ length: rank }, () => int(3, 5));
  const dims = [i % 5 === 4 ? 2 : 1, int(1, 3), ...sizes];
  const mask = ints('int32', [1, 1, ...sizes], 0, 3);
  return {
    label: `[${dims}]`,
    inputs: [floats(dims), mask],
    attributes: {
      kernel_shape: sizes.map(() => int(1, 3)),
      ...(i % 2 && { strides: sizes.map(() => int(1, 2)) }),
    },
    constants: i % 3 ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'MaxpoolWithMask', cases };
