import { tensorType } from '../../../graph/types.js';
import { float, int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { BOOL, FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementNamedOrLike } from './dtype.js';
import { keyOf, uniforms } from './philox.js';

const RESULTS: readonly ElementType[] = [...NUMBERS, ...BOOL];

/** https://onnx.ai/onnx/operators/onnx__Bernoulli.html */
export const bernoulli = defineOp({
  name: 'Bernoulli',
  since: 15,
  signature: 'input: T1 -> output: T2',
  types: { T1: FLOATS, T2: RESULTS },
  deterministic: false,
  attributes: { seed: float(), dtype: int() },
  infer: (c) => [tensorType(elementNamedOrLike(c, RESULTS), c.dims(0))],
  evaluate(c) {
    const x = c.tensor(0);
    const chances = numbersOf(x);
    const draws = uniforms(keyOf(c.attributes.seed), chances.length);
    return [
      tensorOf(
        elementNamedOrLike(c, RESULTS),
        x.dims,
        draws.map((u, i) => Number(u < (chances[i] as number))),
      ),
    ];
  },
});
