import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, pick, chance } = draw(11);

const flip = <T>([a, b]: readonly T[]): T[] => [b as T, a as T];

/** Dims of an operand whose matrices are `matrix` in `batch`, as it lies before it is turned. */
function laid(batch: readonly number[], matrix: readonly number[], swapped: boolean, rolled: boolean): number[] {
  const [rows, columns] = (swapped ? flip(matrix) : matrix) as [number, number];
  return rolled ? [rows, ...batch, columns] : [...batch, rows, columns];
}

const cases = Array.from({ length: 26 }, (_, i): Case => {
  const batch = Array.from({ length: i % 3 }, () => int(1, 3));
  const [m, k, n] = [int(1, 7), int(1, 9), int(1, 10)];
  const [transA, transB] = [chance(0.5), chance(0.5)];
  const canRoll = batch.length > 0 && i % 2 === 1;
  const [rollA, rollB] = [canRoll && chance(0.6), canRoll && chance(0.6)];
  const alpha = pick([1, 0.5, -2]);
  const type = i % 4 === 3 ? 'float64' : 'float32';
  return {
    label: `${type} ${[...batch, m, k, n]} ${[transA, transB, rollA, rollB, alpha]}`,
    inputs: [
      floats(laid(batch, [m, k], transA, rollA), 1, 0, type),
      floats(laid(i % 5 === 4 && !rollB ? [] : batch, [k, n], transB, rollB), 1, 0, type),
    ],
    attributes: {
      ...(transA && { transA: 1 }),
      ...(transB && { transB: 1 }),
      ...(rollA && { transBatchA: 1 }),
      ...(rollB && { transBatchB: 1 }),
      ...(alpha !== 1 && { alpha: { type: 'float', value: alpha } as const }),
    },
    constants: i % 3 === 0 ? [1] : [],
  };
});

const vectors = [
  { label: 'a row on the left', inputs: [floats([5]), floats([5, 4])] },
  { label: 'a column on the right', inputs: [floats([2, 3, 5]), floats([5])] },
  { label: 'two vectors', inputs: [floats([5]), floats([5])] },
  { label: 'nothing to sum', inputs: [floats([2, 0]), floats([0, 3])] },
  { label: 'no rows', inputs: [floats([0, 2]), floats([2, 3])] },
];

export const operator: OperatorCases = { op: 'FusedMatMul', cases: [...cases, ...vectors] };
