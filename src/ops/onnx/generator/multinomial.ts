import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { float, int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementNamed } from './dtype.js';
import { keyOf, uniforms } from './philox.js';
import { exp } from './portable-math.js';

const CLASSES: readonly ElementType[] = ['int32', 'int64'];

/** Running sums of unnormalized probabilities; `logits` are their logarithms up to a constant. */
function cumulated(logits: Float64Array): Float64Array {
  const most = logits.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let total = 0;
  return logits.map((logit) => {
    total += exp(logit - most);
    return total;
  });
}

/** https://onnx.ai/onnx/operators/onnx__Multinomial.html */
export const multinomial = defineOp({
  name: 'Multinomial',
  since: 7,
  signature: 'input: T1 -> output: T2',
  types: { T1: FLOATS, T2: CLASSES },
  deterministic: false,
  attributes: { dtype: int(6), sample_size: int(1), seed: float() },
  infer(c) {
    const dims = c.dims(0) as readonly [Size, Size] | undefined;
    if (dims && dims.length !== 2) c.fail('INVALID_SHAPE', `input 0 must be [batch,classes], not [${dims}]`);
    return [tensorType(elementNamed(c, c.attributes.dtype, CLASSES), dims && [dims[0], c.attributes.sample_size])];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const [batch, classes] = x.dims as readonly [number, number];
    const size = c.attributes.sample_size;
    const logits = Float64Array.from(numbersOf(x));
    const draws = uniforms(keyOf(c.attributes.seed), batch * size);
    const sums = Array.from({ length: batch }, (_, row) =>
      cumulated(logits.subarray(row * classes, (row + 1) * classes)),
    );
    const impossible = sums.findIndex((row) => !((row.at(-1) ?? 0) > 0));
    if (impossible >= 0) c.fail('INVALID_VALUE', `all classes of row ${impossible} have zero probability`);
    const drawn = draws.map((u, i) => {
      const row = sums[Math.floor(i / size)] as Float64Array;
      const total = row.at(-1) as number;
      return row.findIndex((sum) => u * total < sum || sum === total);
    });
    return [tensorOf(elementNamed(c, c.attributes.dtype, CLASSES), [batch, size], drawn)];
  },
});
