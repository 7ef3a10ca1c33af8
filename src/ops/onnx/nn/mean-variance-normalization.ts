import type { Value } from '../../../graph/graph.js';
import { ints } from '../../../schema/attributes.js';
import { type Decomposition, defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { axesOf, sameAsInput } from '../../../schema/shapes.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { throughFloat32 } from '../../through-float32.js';

/** Added to the standard deviation by the operator's definition. */
const EPSILON = 1e-9;

/** (x − mean) / (deviation + ε). The root of variance + ε² would differ visibly if values vary by little more than ε. */
function written(c: Decomposition<unknown>, axes: readonly number[]): Value[] {
  const one = (...node: Parameters<typeof c.emit>) => c.emit(...node)[0] as Value;
  const over = c.constant({ type: 'int64', dims: [axes.length], data: BigInt64Array.from(axes, BigInt) });
  const epsilon = c.constant(tensorOf(c.element(0), [], [EPSILON]));
  const moved = (x: Value) => one('Sub', [x, one('ReduceMean', [x, over])]);
  // The second mean is the rounding error of the first, which is large relative to small deviations.
  const centered = moved(moved(c.input(0)));
  const variance = one('ReduceMean', [one('Mul', [centered, centered]), over]);
  return c.emit('Div', [centered, one('Add', [one('Sqrt', [variance]), epsilon])]);
}

/** https://onnx.ai/onnx/operators/onnx__MeanVarianceNormalization.html */
export const meanVarianceNormalization = defineOp({
  name: 'MeanVarianceNormalization',
  since: 9,
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes: { axes: ints([0, 2, 3]) },
  infer: sameAsInput,
  decompose(c) {
    const rank = c.dims(0)?.length;
    if (rank === undefined) return undefined;
    const joined = throughFloat32(c);
    if (joined) return joined;
    const axes = axesOf(c, c.attributes.axes, rank);
    return written(c, axes.length > 0 ? axes : Array.from({ length: rank }, (_, i) => i));
  },
});
