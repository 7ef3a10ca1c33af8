import { intAttribute } from '../../../graph/attributes.js';
import type { Register } from '../../../graph/expression.js';
import { tensorType } from '../../../graph/types.js';
import { defineElementwise } from '../../../primitives/define-elementwise.js';
import { operation, registerOf } from '../../../primitives/expression.js';
import { entryOf, int, oneOf, string } from '../../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { ELEMENTS, type ElementType, elementTypeOf, isFloat } from '../../../tensor/element-types.js';
import { widened } from '../../../tensor/widened.js';
import { type CastAttributes, castOnHost } from './cast-on-host.js';

const target = (c: Inference<{ readonly to: number }>): ElementType =>
  elementTypeOf(c.attributes.to) ?? c.fail('INVALID_ATTRIBUTE', `to=${c.attributes.to} is not an element type`);

/** A register that holds every value of both types, or rounds as a direct conversion would. */
function registerBetween(from: ElementType, to: ElementType): Register | undefined {
  const [a, b] = [registerOf(from), registerOf(to)];
  if (!a || !b || a === b) return a && b;
  if (isFloat(from)) return a;
  return isFloat(to) ? b : 'I64';
}

/** Types that preserve sizes; others wrap around, and bool turns all but 0 into 1. */
const INDICES: ReadonlySet<ElementType> = new Set(['int32', 'int64']);

const byRegister = defineElementwise({
  name: 'Cast',
  since: 6,
  signature: 'input: T1 -> output: T2',
  types: { T1: ANY, T2: ANY },
  halves: 'carried',
  attributes: { to: int.required, saturate: int(1), round_mode: oneOf('up', 'down', 'nearest') },
  element: target,
  expression(c) {
    const register = registerBetween(c.element(0), target(c));
    return register && operation(register, 'Copy', 1);
  },
  sizes: (c) => (INDICES.has(target(c)) ? c.sizes(0) : undefined),
});

const byCode: typeof byRegister = {
  ...byRegister,
  evaluate(c: Evaluation<CastAttributes>) {
    const to = target(c);
    const later = to === 'float32' && widened(c.tensor(0));
    if (later) return [later];
    return registerBetween(c.element(0), to)
      ? (byRegister.evaluate?.(c) ?? [])
      : [castOnHost(c.tensor(0), to, c.attributes)];
  },
};

/** Before opset 6, the type is given by its name in TensorProto.DataType. */
const NAMES: Readonly<Record<string, ElementType>> = { FLOAT: 'float32', DOUBLE: 'float64' };

function namedTarget(c: Inference<{ readonly to: string }>): ElementType {
  const { to } = c.attributes;
  const element = entryOf(NAMES, to) ?? to.toLowerCase();
  return element in ELEMENTS
    ? (element as ElementType)
    : c.fail('INVALID_ATTRIBUTE', `to="${to}" is not an element type of ONNX`);
}

const byName = defineOp({
  name: 'Cast',
  signature: 'input: T1 -> output: T2',
  types: { T1: ANY, T2: ANY },
  attributes: { to: string.required },
  infer: (c) => [tensorType(namedTarget(c), c.dims(0))],
  decompose: (c) => c.emit('Cast', [c.input(0)], { to: intAttribute(ELEMENTS[namedTarget(c)].onnx) }),
});

/** https://onnx.ai/onnx/operators/onnx__Cast.html */
export const cast = [byCode, byName];
