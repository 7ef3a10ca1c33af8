import { account } from '../account.js';
import type { Primitive } from '../schema/definition.js';
import { aboutAxis, takeRows } from '../tensor/rows.js';
import type { Along } from './along.js';
import { comparable } from './comparable.js';

export interface TopKParameters extends Along {
  readonly k: number;
  readonly smallest: boolean;
}

/** The k extreme elements along an axis, in order, and their indices. */
export const topK: Primitive<TopKParameters> = {
  name: 'top-k',
  facts: {},
  reference(c, { axis, k, smallest }) {
    const x = c.tensor(0);
    const { outer, length, inner } = aboutAxis(x.dims, axis);
    const compare = order(comparable(x), smallest);
    const sources = new Array<number>(outer * k * inner);
    const indices = new BigInt64Array(sources.length);
    for (let line = 0; line < outer * inner; line++) {
      const [o, i] = [Math.floor(line / inner), line % inner];
      const from = o * length * inner + i;
      const best = Array.from({ length }, (_, n) => from + n * inner)
        .sort(compare)
        .slice(0, k);
      best.forEach((source, rank) => {
        const to = (o * k + rank) * inner + i;
        sources[to] = source;
        indices[to] = BigInt((source - from) / inner);
      });
    }
    const dims = x.dims.with(axis, k);
    return [takeRows(x, sources, 1, dims), { type: 'int64', dims, data: indices }];
  },
};

/** Compares positions by value, then by position; NaN counts as the largest. */
function order(values: ArrayLike<number | bigint>, smallest: boolean): (a: number, b: number) => number {
  const sign = smallest ? 1 : -1;
  return (a, b) => {
    account()?.spend(8);
    const [x, y] = [values[a] as number, values[b] as number];
    if (x === y) return a - b;
    const less = Number.isNaN(y) ? !Number.isNaN(x) : x < y;
    return Number.isNaN(x) && Number.isNaN(y) ? a - b : less ? -sign : sign;
  };
}
