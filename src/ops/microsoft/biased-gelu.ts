import type { OpcodeName } from '../../graph/expression.js';
import { defineElementwise, registerFor } from '../../primitives/define-elementwise.js';
import { operation } from '../../primitives/expression.js';
import { FLOATS } from '../../schema/element-sets.js';
import { requireDims } from '../../schema/shapes.js';

const [X, BIAS] = [0, 1];

/** GELU of x + bias; the bias is optional and has one number per column. */
const define = (name: string, signature: string, gelu: OpcodeName) =>
  defineElementwise({
    domain: 'com.microsoft',
    name,
    signature,
    types: { T: FLOATS },
    dims(c) {
      const dims = c.dims(X);
      if (dims?.length === 0 && c.given(BIAS)) c.fail('INVALID_SHAPE', 'input 0 must not be a scalar');
      if (dims) requireDims(c, BIAS, [dims.at(-1)]);
      return dims;
    },
    expression(c) {
      const register = registerFor(c);
      if (!register || !c.given(BIAS)) return register && operation(register, gelu, 1);
      const instructions = [
        { op: 'Add', args: [0, 1] },
        { op: gelu, args: [2] },
      ] as const;
      return { register, inputs: 2, constants: [], instructions };
    },
  });

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.BiasGelu: exact GELU, with erf. */
export const biasGelu = define('BiasGelu', 'A: T, B: T -> C: T', 'GeluErf');

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.FastGelu: GELU approximated with tanh. */
export const fastGelu = define('FastGelu', 'X: T, bias?: T -> Y: T', 'GeluTanh');
