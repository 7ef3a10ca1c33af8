import type { Register } from '../../../bindings/elementwise.js';
import { type ElementType, elementTypeOf, isFloat } from '../../tensor/element-types.js';
import { int, string } from '../attributes.js';
import { defineElementwise } from '../define-elementwise.js';
import type { Evaluation, Inference } from '../definition.js';
import { ANY } from '../element-sets.js';
import { operation, registerOf } from '../expression.js';
import { type CastAttributes, castOnHost } from './cast-on-host.js';

const target = (c: Inference<{ readonly to: number }>): ElementType =>
  elementTypeOf(c.attributes.to) ?? c.fail('INVALID_ATTRIBUTE', `to=${c.attributes.to} is no element type`);

/** Registers that hold every value of both types, or round just as a direct conversion would. */
function registerBetween(from: ElementType, to: ElementType): Register | undefined {
  const [a, b] = [registerOf(from), registerOf(to)];
  if (!a || !b || a === b) return a && b;
  if (isFloat(from)) return a;
  return isFloat(to) ? b : 'I64';
}

const byRegister = defineElementwise({
  name: 'Cast',
  since: 6,
  signature: 'input: T1 -> output: T2',
  types: { T1: ANY, T2: ANY },
  attributes: { to: int.required, saturate: int(1), round_mode: string('up') },
  element: target,
  expression(c) {
    const register = registerBetween(c.element(0), target(c));
    return register && operation(register, 'Copy', 1);
  },
  sizes: (c) => (isFloat(target(c)) ? undefined : c.sizes(0)),
});

/** https://onnx.ai/onnx/operators/onnx__Cast.html */
export const cast = {
  ...byRegister,
  evaluate(c: Evaluation<CastAttributes>) {
    const to = target(c);
    return registerBetween(c.element(0), to)
      ? (byRegister.evaluate?.(c) ?? [])
      : [castOnHost(c.tensor(0), to, c.attributes)];
  },
};
