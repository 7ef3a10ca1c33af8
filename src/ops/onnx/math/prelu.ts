import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import { ints } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { requireSpreading, sameAsInput } from '../../../schema/shapes.js';

/** https://onnx.ai/onnx/operators/onnx__PRelu.html; before opset 7, a vector of slopes has one per channel. */
export const prelu = [
  defineElementwise({
    name: 'PRelu',
    since: 7,
    signature: 'X: T, slope: T -> Y: T',
    types: { T: NUMBERS },
    dims(c) {
      requireSpreading(c, 1, c.dims(0));
      return c.dims(0);
    },
    expression(c) {
      const register = registerFor(c);
      if (!register || register[0] === 'F') return register && operation(register, 'PRelu', 2);
      return {
        register,
        inputs: 2,
        constants: [0],
        instructions: [
          { op: 'Less', args: [0, 2] },
          { op: 'Mul', args: [0, 1] },
          { op: 'Where', args: [3, 4, 0] },
        ],
      };
    },
  }),
  defineOp({
    name: 'PRelu',
    signature: 'X: T, slope: T -> Y: T',
    types: { T: FLOATS },
    attributes: { consumed_inputs: ints() },
    infer: sameAsInput,
    decompose(c) {
      const [rank, slopes] = [c.dims(0)?.length, c.dims(1)];
      if (rank === undefined || !slopes) return undefined;
      if (slopes.length !== 1 || slopes[0] === 1 || rank < 3) return c.emit('PRelu', [c.input(0), c.input(1)]);
      const shape = BigInt64Array.from([-1, ...new Array<number>(rank - 2).fill(1)], BigInt);
      const target = c.constant({ type: 'int64', dims: [rank - 1], data: shape });
      return c.emit('PRelu', [c.input(0), ...c.emit('Reshape', [c.input(1), target])]);
    },
  }),
];
