import type { Primitive } from '../schema/definition.js';
import { isFloat } from '../tensor/element-types.js';
import { bigintsOf, numbersOf, tensorOf, tensorOfBigints } from '../tensor/numbers.js';
import { type AxisView, aboutAxis } from '../tensor/rows.js';
import type { Along } from './along.js';

export interface RunningParameters extends Along {
  /** Whether an element is excluded from its own sum. */
  readonly exclusive: boolean;
  /** Whether to start from the end of the axis. */
  readonly reverse: boolean;
}

interface Fold<N> {
  readonly start: N;
  step(total: N, x: N): N;
}

/** Folds every element along an axis with those before it. */
const runningFold = (name: string, floats: Fold<number>, integers: Fold<bigint>): Primitive<RunningParameters> => ({
  name,
  facts: { inPlace: true },
  reference(c, parameters) {
    const x = c.tensor(0);
    const { element } = c.result(0);
    const lines = aboutAxis(x.dims, parameters.axis);
    return [
      isFloat(x.type)
        ? tensorOf(element, x.dims, running(lines, parameters, numbersOf(x), floats))
        : tensorOfBigints(element, x.dims, running(lines, parameters, bigintsOf(x), integers)),
    ];
  },
});

export const cumSum = runningFold(
  'cum-sum',
  { start: 0, step: (total, x) => total + x },
  { start: 0n, step: (total, x) => total + x },
);

export const cumProd = runningFold(
  'cum-prod',
  { start: 1, step: (total, x) => total * x },
  { start: 1n, step: (total, x) => total * x },
);

function running<N>(
  { outer, length, inner }: AxisView,
  { exclusive, reverse }: RunningParameters,
  values: ArrayLike<N>,
  { start, step }: Fold<N>,
): N[] {
  const results = new Array<N>(values.length);
  for (let line = 0; line < outer * inner; line++) {
    const from = Math.floor(line / inner) * length * inner + (line % inner);
    for (let n = 0, total = start; n < length; n++) {
      const at = from + (reverse ? length - 1 - n : n) * inner;
      const before = total;
      total = step(total, values[at] as N);
      results[at] = exclusive ? before : total;
    }
  }
  return results;
}
