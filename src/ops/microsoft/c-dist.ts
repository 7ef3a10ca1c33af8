import { account } from '../../account.js';
import { differ } from '../../graph/guards.js';
import { oneOf } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { dimsOfRank, like } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.CDist; onnxruntime has these two metrics. Runs
 * in JavaScript: computing distances from products suffers from cancellation, and a tensor of all differences has M · K · N elements.
 */
export const cDist = defineOp({
  domain: 'com.microsoft',
  name: 'CDist',
  signature: 'A: T, B: T -> C: T',
  types: { T: ['float32', 'float64'] },
  attributes: { metric: oneOf('sqeuclidean', 'euclidean') },
  infer(c) {
    const [a, b] = [dimsOfRank(c, 0, 2), dimsOfRank(c, 1, 2)];
    if (differ(a?.[1], b?.[1]))
      c.fail('INVALID_SHAPE', `points of [${a}] and [${b}] must have the same number of coordinates`);
    return [like(c, 0, a && b && [a[0] as number, b[0] as number])];
  },
  evaluate(c) {
    const [a, b] = [c.tensor(0), c.tensor(1)];
    const [from, to] = [numbersOf(a), numbersOf(b)];
    const [m, n] = a.dims as [number, number];
    const k = b.dims[0] as number;
    const distance = c.attributes.metric === 'euclidean' ? Math.sqrt : Number;
    const distances = new Float64Array(m * k);
    for (let at = 0; at < m * k; at++) {
      const [p, q] = [Math.floor(at / k) * n, (at % k) * n];
      account()?.spend(n);
      let sum = 0;
      for (let i = 0; i < n; i++) sum += ((from[p + i] as number) - (to[q + i] as number)) ** 2;
      distances[at] = distance(sum);
    }
    return [tensorOf(a.type, [m, k], distances)];
  },
});
