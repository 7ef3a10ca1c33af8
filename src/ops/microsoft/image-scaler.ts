import { float, floats } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { dimsOfRank, sameAsInput } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import { arithmeticOn } from '../emit.js';

/** https://github.com/onnx/onnx/blob/rel-1.3/docs/Operators.md#experimental-imagescaler: scale · x + bias[channel]. */
export const imageScaler = defineOp({
  name: 'ImageScaler',
  signature: 'input: T -> output: T',
  types: { T: FLOATS },
  attributes: { scale: float(1), bias: floats.required },
  infer(c) {
    const channels = dimsOfRank(c, 0, 4)?.[1];
    const { bias } = c.attributes;
    if (typeof channels === 'number' && bias.length !== channels)
      c.fail('INVALID_ATTRIBUTE', `bias [${bias}] must have one value for each of ${channels} channels`);
    return sameAsInput(c);
  },
  decompose(c) {
    const { scale, bias } = c.attributes;
    const f = arithmeticOn(c, c.element(0));
    return [f('Add', f('Mul', c.input(0), scale), c.constant(tensorOf(c.element(0), [bias.length, 1, 1], bias)))];
  },
});
