import { collapse } from '../../../../bindings/space.js';
import { broadcast, broadcastStrides } from '../../../graph/dims.js';

/** A pair of nested loops over the matrices of a batch; strides and offsets count matrices. */
export interface BatchLoop {
  readonly outer: number;
  readonly inner: number;
  /** [left, right, result] */
  readonly offsets: readonly [number, number, number];
  readonly outerStrides: readonly [number, number, number];
  readonly innerStrides: readonly [number, number, number];
}

type Triple = [number, number, number];

/** The loops that run through two batches of matrices that broadcast; usually one. */
export function batchLoops(left: readonly number[], right: readonly number[]): BatchLoop[] {
  const all = broadcast(left, right) as number[];
  const { dims, strides } = collapse(all, [
    broadcastStrides(left, all),
    broadcastStrides(right, all),
    broadcastStrides(all, all),
  ]);
  const at = (axis: number) => strides.map((own) => own[axis] ?? 0) as Triple;
  const rank = dims.length;
  let offsets: Triple[] = [[0, 0, 0]];
  for (let axis = 0; axis < rank - 2; axis++) {
    const step = at(axis);
    offsets = offsets.flatMap((from) =>
      Array.from({ length: dims[axis] as number }, (_, i) => from.map((o, t) => o + i * (step[t] as number)) as Triple),
    );
  }
  return offsets.map((offset) => ({
    outer: dims[rank - 2] ?? 1,
    inner: dims[rank - 1] ?? 1,
    offsets: offset,
    outerStrides: at(rank - 2),
    innerStrides: at(rank - 1),
  }));
}
