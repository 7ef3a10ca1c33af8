import { int } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { INDICES, NUMBERS } from '../../../schema/element-sets.js';
import { axisOf, numberAt, sameAsInput } from '../../../schema/shapes.js';
import { isFloat } from '../../../tensor/element-types.js';
import { bigintsOf, numbersOf, tensorOf, tensorOfBigints } from '../../../tensor/numbers.js';
import { type AxisView, aboutAxis } from '../../../tensor/rows.js';

export interface RunningAttributes {
  readonly exclusive: number;
  readonly reverse: number;
}

/** The input about the axis. */
export const linesOf = (c: Inference<unknown>, dims: readonly number[]) =>
  aboutAxis(dims, axisOf(c, numberAt(c, 1) as number, dims.length));

const declared = {
  signature: 'x: T, axis: T2 -> y: T',
  types: { T: NUMBERS, T2: INDICES },
  attributes: { exclusive: int(0), reverse: int(0) },
  planned: [1],
  infer: sameAsInput,
};

interface Fold<N> {
  readonly start: N;
  step(total: N, x: N): N;
}

/** Every element of a line and those before it, folded. */
function running<N>(
  { outer, length, inner }: AxisView,
  { exclusive, reverse }: RunningAttributes,
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

const runningOnHost = (floats: Fold<number>, integers: Fold<bigint>) => (c: Evaluation<RunningAttributes>) => {
  const x = c.tensor(0);
  const lines = linesOf(c, x.dims);
  return [
    isFloat(x.type)
      ? tensorOf(x.type, x.dims, running(lines, c.attributes, numbersOf(x), floats))
      : tensorOfBigints(x.type, x.dims, running(lines, c.attributes, bigintsOf(x), integers)),
  ];
};

/** https://onnx.ai/onnx/operators/onnx__CumSum.html */
export const cumSum = defineOp({
  ...declared,
  name: 'CumSum',
  since: 11,
  evaluate: runningOnHost({ start: 0, step: (total, x) => total + x }, { start: 0n, step: (total, x) => total + x }),
});

/** https://onnx.ai/onnx/operators/onnx__CumProd.html */
export const cumProd = defineOp({
  ...declared,
  name: 'CumProd',
  since: 26,
  evaluate: runningOnHost({ start: 1, step: (total, x) => total * x }, { start: 1n, step: (total, x) => total * x }),
});
