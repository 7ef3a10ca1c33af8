import { account } from '../../../account.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { INDICES, NUMBERS } from '../../../schema/element-sets.js';
import { numberAt } from '../../../schema/shapes.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementNamed } from '../generator/dtype.js';

/** Values between two checks of the clock. */
const SPENT_AT_ONCE = 4096;

/** Number of values; undefined if unknown. */
function sizeOf(c: Inference<unknown>): number | undefined {
  const size = numberAt(c, 0);
  return size !== undefined && size < 0 ? c.fail('INVALID_VALUE', `size must not be negative: ${size}`) : size;
}

/** Defines the window Σ weights[k]·cos(2πkn/N); N is its size if it is periodic, else one less. */
const windowOf = (name: string, weights: readonly number[]) =>
  defineOp({
    name,
    since: 17,
    signature: 'size: T1 -> output: T2',
    types: { T1: INDICES, T2: NUMBERS },
    attributes: { output_datatype: int(1), periodic: int(1) },
    planned: [0],
    infer: (c) => [tensorType(elementNamed(c, c.attributes.output_datatype, NUMBERS), [sizeOf(c) ?? c.unknown()])],
    evaluate(c) {
      const size = sizeOf(c) as number;
      const period = Math.max(1, c.attributes.periodic ? size : size - 1);
      const values = new Float64Array(size);
      for (let n = 0; n < size; n++) {
        if (n % SPENT_AT_ONCE === 0) account()?.spend(SPENT_AT_ONCE * weights.length);
        values[n] = weights.reduce((sum, weight, k) => sum + weight * Math.cos((2 * Math.PI * k * n) / period), 0);
      }
      return [tensorOf(elementNamed(c, c.attributes.output_datatype, NUMBERS), [size], values)];
    },
  });

/** https://onnx.ai/onnx/operators/onnx__HannWindow.html and its siblings. */
export const hannWindow = windowOf('HannWindow', [0.5, -0.5]);
export const hammingWindow = windowOf('HammingWindow', [25 / 46, -21 / 46]);
export const blackmanWindow = windowOf('BlackmanWindow', [0.42, -0.5, 0.08]);
