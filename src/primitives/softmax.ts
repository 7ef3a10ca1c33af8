import type { Primitive } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { aboutAxis } from '../tensor/rows.js';
import { type Along, movedAxis } from './along.js';

export interface SoftmaxParameters extends Along {
  /** Number of axes from `axis` on that count as one. */
  readonly axes: number;
  /** Whether to return the logarithm. */
  readonly logarithm: boolean;
}

/** Softmax or its logarithm along an axis. */
export const softmax: Primitive<SoftmaxParameters> = {
  name: 'softmax',
  facts: {
    inPlace: true,
    beforeTransposition: (parameters, perm) => (parameters.axes === 1 ? movedAxis(parameters, perm) : undefined),
  },
  reference(c, { axis, axes, logarithm }) {
    const x = c.tensor(0);
    const { outer, length, inner } = aboutAxis(x.dims, axis, axes);
    const values = numbersOf(x);
    const results = new Float64Array(values.length);
    for (let line = 0; line < outer * inner; line++) {
      const from = Math.floor(line / inner) * length * inner + (line % inner);
      let peak = Number.NEGATIVE_INFINITY;
      for (let n = 0; n < length; n++) peak = Math.max(peak, values[from + n * inner] as number);
      let total = 0;
      for (let n = 0; n < length; n++) total += Math.exp((values[from + n * inner] as number) - peak);
      for (let n = 0; n < length; n++) {
        const shifted = (values[from + n * inner] as number) - peak;
        results[from + n * inner] = logarithm ? shifted - Math.log(total) : Math.exp(shifted) / total;
      }
    }
    return [tensorOf(c.result(0).element, x.dims, results)];
  },
};
