import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(35);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const [m, k, n] = [int(1, 6), int(1, 6), i % 2 ? int(1, 7) : int(8, 12)];
  const type = i % 3 === 2 ? 'float64' : 'float32';
  return {
    label: `${type} ${[m, k, n]}`,
    inputs: [floats([m, n], 1, 0, type), floats([k, n], 1, 0, type)],
    attributes: { metric: i % 4 < 2 ? 'euclidean' : 'sqeuclidean' },
    constants: i % 5 === 4 ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'CDist', cases };
