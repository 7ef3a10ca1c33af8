import { i64 } from '../../../values.js';
import { type Case, POSITIVE } from './case.js';

const reduction = (op: string): Case[] => [
  { op, dims: [[2, 3, 4]], rest: [[-1, 0]], attributes: { keepdims: 0 }, range: POSITIVE },
  { op, dims: [[2, 3]], rest: [], range: POSITIVE },
  { op, dims: [[2, 3, 2]], attributes: { axes: [1], keepdims: 1 }, range: POSITIVE, opset: 11 },
];

export const reductions: readonly Case[] = [
  ...['Sum', 'Mean', 'Max', 'Min', 'Prod', 'SumSquare', 'L1', 'L2', 'LogSum', 'LogSumExp'].flatMap((kind) =>
    reduction(`Reduce${kind}`).map((one) => (one.rest && !['Sum'].includes(kind) ? { ...one, opset: 18 } : one)),
  ),
  { op: 'Softmax', dims: [[2, 3, 4]], attributes: { axis: 1 } },
  { op: 'Softmax', dims: [[2, 3, 4]], attributes: { axis: 1 }, opset: 11 },
  { op: 'LogSoftmax', dims: [[2, 3]] },
  { op: 'CumSum', dims: [[2, 4]], rest: [i64([], [1])], attributes: { exclusive: 1 } },
  { op: 'ReduceProd', dims: [[3, 3]], values: [[2, 0, 3, 0, 5, 0, 1, 2, 3]], rest: [[1]], opset: 18 },
  ...[0, 1, 2, 3].map(
    (flags): Case => ({
      op: 'CumProd',
      dims: [[3, 4]],
      values: [[2, 0.5, 3, 2, 1, 0, 2, 3, 2, 0, 3, 0]],
      rest: [i64([], [1])],
      attributes: { exclusive: flags & 1, reverse: flags >> 1 },
      opset: 26,
    }),
  ),
  { op: 'CumSum', dims: [[2, 4]], rest: [i64([], [0])], attributes: { reverse: 1 } },
  ...['SumSquare', 'L1', 'L2', 'LogSum', 'LogSumExp', 'Sum', 'Mean', 'Max', 'Prod'].map(
    (kind): Case => ({
      op: `Reduce${kind}`,
      dims: [[2, 3]],
      rest: [null],
      attributes: { noop_with_empty_axes: 1 },
      range: POSITIVE,
      opset: 18,
    }),
  ),
];
