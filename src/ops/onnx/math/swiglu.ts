import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { float } from '../../../schema/attributes.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { requireDims } from '../../../schema/shapes.js';

/** A · sigmoid(alpha · A) · B: https://onnx.ai/onnx/operators/onnx__SwiGLU.html */
export const swiGlu = defineElementwise({
  name: 'SwiGLU',
  since: 28,
  signature: 'A: T, B: T -> Y: T',
  types: { T: FLOATS },
  attributes: { alpha: float(1) },
  dims(c) {
    const [a, b] = [c.dims(0), c.dims(1)];
    if (a) requireDims(c, 1, a);
    return a?.map((d, i) => (typeof b?.[i] === 'number' ? b[i] : d)) ?? b;
  },
  expression(c) {
    const register = registerFor(c);
    const { alpha } = c.attributes;
    if (!register) return undefined;
    if (alpha === 1) {
      const instructions = [
        { op: 'Silu', args: [0] },
        { op: 'Mul', args: [2, 1] },
      ] as const;
      return { register, inputs: 2, constants: [], instructions };
    }
    return {
      register,
      inputs: 2,
      constants: [alpha],
      instructions: [
        { op: 'Mul', args: [0, 2] },
        { op: 'Sigmoid', args: [3] },
        { op: 'Mul', args: [0, 4] },
        { op: 'Mul', args: [5, 1] },
      ],
    };
  },
});
