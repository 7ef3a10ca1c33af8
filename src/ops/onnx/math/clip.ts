import type { Instruction } from '../../../graph/expression.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { float, ints } from '../../../schema/attributes.js';
import type { Inference } from '../../../schema/definition.js';
import { FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { requireOne, requireSpreading } from '../../../schema/shapes.js';

/** min(max(x, low), high) with the given bounds; omitted inputs have no value number. */
function bounded(c: Inference<unknown>): Instruction[] {
  const bounds = [c.given(1) && 'Max', c.given(2) && 'Min'].filter((op): op is 'Max' | 'Min' => Boolean(op));
  const inputs = 1 + bounds.length;
  const steps = bounds.map((op, i) => ({ op, args: [i === 0 ? 0 : inputs, i + 1] }));
  return steps.length > 0 ? steps : [{ op: 'Copy', args: [0] }];
}

/** https://onnx.ai/onnx/operators/onnx__Clip.html */
export const clip = [
  defineElementwise({
    name: 'Clip',
    since: 11,
    signature: 'input: T, min?: T, max?: T -> output: T',
    types: { T: NUMBERS },
    dims(c) {
      for (const i of [1, 2]) requireOne(c, i);
      for (const i of [1, 2]) requireSpreading(c, i, c.dims(0));
      return c.dims(0);
    },
    expression(c) {
      const register = registerFor(c);
      const inputs = 1 + Number(c.given(1)) + Number(c.given(2));
      return register && { register, inputs, constants: [], instructions: bounded(c) };
    },
  }),
  defineElementwise({
    name: 'Clip',
    signature: 'input: T -> output: T',
    types: { T: FLOATS },
    attributes: { min: float(-3.4028234663852886e38), max: float(3.4028234663852886e38), consumed_inputs: ints() },
    expression(c) {
      const register = registerFor(c);
      const { min, max } = c.attributes;
      return register && operation(register, 'Clip', 1, { alpha: min, beta: max });
    },
  }),
];
