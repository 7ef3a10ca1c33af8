import { collapse } from '../../../../bindings/space.js';
import { broadcast, broadcastStrides } from '../../../graph/dims.js';
import { fixed } from '../../../graph/guards.js';
import { add, multiply, type Size } from '../../../graph/sizes.js';

/** A pair of nested loops over the matrices of a batch; strides and offsets count matrices. */
export interface BatchLoop<D extends Size = Size> {
  readonly outer: D;
  readonly inner: D;
  /** [left, right, result] */
  readonly offsets: Triple<D>;
  readonly outerStrides: Triple<D>;
  readonly innerStrides: Triple<D>;
}

export type Triple<D extends Size = Size> = readonly [D, D, D];

/** Loops over two broadcast batches of matrices; usually one. */
export function batchLoops<D extends Size>(left: readonly D[], right: readonly D[]): BatchLoop<D>[] {
  const all = broadcast(left, right) as Size[];
  const { dims, strides } = collapse(all, [
    broadcastStrides(left, all),
    broadcastStrides(right, all),
    broadcastStrides(all, all),
  ]);
  const at = (axis: number) => strides.map((own) => own[axis] ?? 0) as unknown as Triple;
  const rank = dims.length;
  let offsets: Triple[] = [[0, 0, 0]];
  for (let axis = 0; axis < rank - 2; axis++) {
    const step = at(axis);
    const length = fixed(dims[axis] as Size);
    offsets = offsets.flatMap((from) =>
      Array.from({ length }, (_, i) => from.map((o, t) => add(o, multiply(step[t] as Size, i))) as unknown as Triple),
    );
  }
  return offsets.map((offset) => ({
    outer: dims[rank - 2] ?? 1,
    inner: dims[rank - 1] ?? 1,
    offsets: offset,
    outerStrides: at(rank - 2),
    innerStrides: at(rank - 1),
  })) as unknown as BatchLoop<D>[];
}
