import type { Primitive } from '../schema/definition.js';
import { aboutAxis } from '../tensor/rows.js';
import type { Along } from './along.js';
import { comparable } from './comparable.js';

export interface ArgReduceParameters extends Along {
  /** Whether to find the smallest element instead of the largest. */
  readonly smallest: boolean;
  /** Whether the last of several equal elements wins instead of the first. */
  readonly last: boolean;
}

/** Index of the extreme element along an axis. NaN is more extreme than any number, as in numpy. */
export const argReduce: Primitive<ArgReduceParameters> = {
  name: 'arg-reduce',
  facts: {},
  reference(c, { axis, smallest, last }) {
    const x = c.tensor(0);
    const { outer, length, inner } = aboutAxis(x.dims, axis);
    const values = comparable(x);
    const data = new BigInt64Array(outer * inner);
    for (let i = 0; i < data.length; i++) {
      const from = Math.floor(i / inner) * length * inner + (i % inner);
      let best = values[from] as number;
      for (let k = 1; k < length; k++) {
        const value = values[from + k * inner] as number;
        const [isOdd, wasOdd] = [Number.isNaN(value), Number.isNaN(best)];
        const wins = isOdd ? !wasOdd : smallest ? value < best : value > best;
        if (wins || (last && (value === best || (isOdd && wasOdd)))) {
          best = value;
          data[i] = BigInt(k);
        }
      }
    }
    return [{ type: 'int64', dims: c.result(0).dims, data }];
  },
};
