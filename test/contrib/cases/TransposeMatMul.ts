import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, pick, chance } = draw(12);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const batch = Array.from({ length: i % 3 }, () => int(1, 3));
  const [m, k, n] = [int(1, 7), int(1, 9), int(1, 10)];
  const [transA, transB] = [chance(0.5), chance(0.5)];
  const alpha = pick([1, 0.5, -2]);
  return {
    label: `${[...batch, m, k, n]} ${[transA, transB, alpha]}`,
    inputs: [
      floats([...batch, ...(transA ? [k, m] : [m, k])]),
      floats([...(i % 5 === 4 ? [] : batch), ...(transB ? [n, k] : [k, n])]),
    ],
    attributes: {
      ...(transA && { transA: 1 }),
      ...(transB && { transB: 1 }),
      ...(alpha !== 1 && { alpha: { type: 'float', value: alpha } as const }),
    },
    constants: i % 3 === 0 ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'TransposeMatMul', cases };
