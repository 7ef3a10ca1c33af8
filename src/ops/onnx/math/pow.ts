import type { Instruction, Register } from '../../../graph/expression.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import type { Inference } from '../../../schema/definition.js';
import { FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { type ElementType, isFloat } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';

/** Exponents with cheaper instructions; value 0 is the base, value 1 the exponent. */
const SPECIAL: Readonly<Record<number, readonly Instruction[]>> = {
  0.5: [{ op: 'Sqrt', args: [0] }],
  1: [{ op: 'Copy', args: [0] }],
  2: [{ op: 'Mul', args: [0, 0] }],
  3: [
    { op: 'Mul', args: [0, 0] },
    { op: 'Mul', args: [2, 0] },
  ],
};

function instructions(c: Inference<unknown>): readonly Instruction[] {
  const exponent = c.contents(1);
  const special = exponent && elementCount(exponent.dims) === 1 ? SPECIAL[numbersOf(exponent)[0] as number] : undefined;
  return special ?? [{ op: 'Pow', args: [0, 1] }];
}

/**
 * The register for a base; that of an integer base also holds the exponent. Truncated to 32 bits, a negative exponent may become positive.
 */
function wideEnough(base: Register | undefined, exponent: ElementType): Register | undefined {
  if (base !== 'I32' && base !== 'I64') return base;
  if (isFloat(exponent)) return 'F64';
  return ['int64', 'uint64', 'uint32'].includes(exponent) ? 'I64' : base;
}

/** https://onnx.ai/onnx/operators/onnx__Pow.html; an integer to a fractional power is rounded toward zero. */
export const pow = defineElementwise({
  name: 'Pow',
  since: 7,
  signature: 'X: T, Y: T1 -> Z: T',
  types: { T: [...FLOATS, 'int32', 'int64'], T1: NUMBERS },
  expression(c) {
    const register = wideEnough(registerFor(c), c.element(1));
    return register && { register, inputs: 2, constants: [], instructions: instructions(c) };
  },
});
