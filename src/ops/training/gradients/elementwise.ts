import type { Value } from '../../../graph/graph.js';
import { givenInputs } from '../../../primitives/expression.js';
import { arithmeticOn, castTo } from '../../emit.js';
import { arithmetic, type Backward, type BackwardRule, type BackwardRules, reducedTo, upstreamOf } from './backward.js';

type Arithmetic = ReturnType<typeof arithmetic>;

/** Operands for the derivative of a function of one variable. */
interface Unary {
  readonly f: Arithmetic;
  readonly x: Value;
  readonly y: Value;
  readonly g: Value;
  /** A numeric attribute. */
  attribute(name: string): number;
  /** g if `condition`, else `other`. */
  where(condition: Value, other: Value | number): Value;
}

const unary =
  (derivative: (u: Unary) => Value): BackwardRule =>
  (c) => {
    const f = arithmetic(c);
    const g = upstreamOf(c);
    const attribute = (name: string) => c.attributes[name] as number;
    const where = (condition: Value, other: Value | number) => f('Where', condition, g, other);
    return [derivative({ f, g, attribute, where, x: c.input(0), y: c.output(0) })];
  };

const square = (f: Arithmetic, x: Value) => f('Mul', x, x);
/** g / √(scale · x² + offset) */
const overRoot = (scale: number, offset: number) =>
  unary(({ f, x, g }) => f('Div', g, f('Sqrt', f('Add', f('Mul', square(f, x), scale), offset))));
/** g · (offset + scale · y²) */
const bySquare = (scale: number, offset: number) =>
  unary(({ f, y, g }) => f('Mul', g, f('Add', f('Mul', square(f, y), scale), offset)));

const ROOT_2_OVER_PI = Math.sqrt(2 / Math.PI);

/** Φ(x) + x·φ(x), with the normal distribution Φ and its density φ. */
function geluByErf({ f, x, g }: Unary): Value {
  const distribution = f('Mul', f('Add', f('Erf', f('Mul', x, Math.SQRT1_2)), 1), 0.5);
  const density = f('Mul', f('Exp', f('Mul', square(f, x), -0.5)), ROOT_2_OVER_PI / 2);
  return f('Mul', g, f('Add', distribution, f('Mul', x, density)));
}

function geluByTanh({ f, x, g }: Unary): Value {
  const squared = square(f, x);
  const inner = f('Mul', f('Mul', x, f('Add', f('Mul', squared, 0.044715), 1)), ROOT_2_OVER_PI);
  const t = f('Tanh', inner);
  const slope = f('Mul', f('Add', f('Mul', squared, 3 * 0.044715), 1), ROOT_2_OVER_PI / 2);
  const bent = f('Mul', f('Mul', x, f('Sub', 1, square(f, t))), slope);
  return f('Mul', g, f('Add', f('Mul', f('Add', t, 1), 0.5), bent));
}

/** g · s · (1 + αx·(1 − s)), with s = sigmoid(αx). */
function swish(alpha: number, { f, x, g }: Pick<Unary, 'f' | 'x' | 'g'>): Value {
  const scaled = f('Mul', x, alpha);
  const s = f('Sigmoid', scaled);
  return f('Mul', g, f('Mul', s, f('Add', f('Mul', scaled, f('Sub', 1, s)), 1)));
}

const unaries: BackwardRules = {
  Abs: unary(({ f, x, g }) => f('Mul', g, f('Sign', x))),
  Acos: unary(({ f, x, g }) => f('Neg', f('Div', g, f('Sqrt', f('Sub', 1, square(f, x)))))),
  Acosh: overRoot(1, -1),
  Asin: overRoot(-1, 1),
  Asinh: overRoot(1, 1),
  Atan: unary(({ f, x, g }) => f('Div', g, f('Add', square(f, x), 1))),
  Atanh: unary(({ f, x, g }) => f('Div', g, f('Sub', 1, square(f, x)))),
  Celu: unary(({ f, x, g, attribute, where }) =>
    where(f('Greater', x, 0), f('Mul', g, f('Exp', f('Div', f('Min', x, 0), attribute('alpha'))))),
  ),
  Cos: unary(({ f, x, g }) => f('Neg', f('Mul', g, f('Sin', x)))),
  Cosh: unary(({ f, x, g }) => f('Mul', g, f('Sinh', x))),
  Elu: unary(({ f, x, y, g, attribute, where }) =>
    where(f('Greater', x, 0), f('Mul', g, f('Add', y, attribute('alpha')))),
  ),
  Erf: unary(({ f, x, g }) => f('Mul', g, f('Mul', f('Exp', f('Neg', square(f, x))), 2 / Math.sqrt(Math.PI)))),
  Exp: unary(({ f, y, g }) => f('Mul', g, y)),
  HardSigmoid: unary(({ f, y, g, attribute }) => {
    const inside = f('And', f('Greater', y, 0), f('Less', y, 1));
    return f('Where', inside, f('Mul', g, attribute('alpha')), 0);
  }),
  HardSwish: unary(({ f, x, g, where }) => {
    const rising = f('Mul', g, f('Div', f('Add', f('Mul', x, 2), 3), 6));
    return f('Where', f('Greater', x, -3), where(f('GreaterOrEqual', x, 3), rising), 0);
  }),
  LeakyRelu: unary(({ f, x, g, attribute, where }) => where(f('Greater', x, 0), f('Mul', g, attribute('alpha')))),
  Log: unary(({ f, x, g }) => f('Div', g, x)),
  Mish: unary(({ f, x, g }) => {
    const t = f('Tanh', f('Softplus', x));
    const bent = f('Mul', f('Mul', x, f('Sigmoid', x)), f('Sub', 1, square(f, t)));
    return f('Mul', g, f('Add', t, bent));
  }),
  Neg: unary(({ f, g }) => f('Neg', g)),
  Reciprocal: unary(({ f, y, g }) => f('Neg', f('Mul', g, square(f, y)))),
  Relu: unary(({ f, x, where }) => where(f('Greater', x, 0), 0)),
  Selu: unary(({ f, x, y, g, attribute }) => {
    const gamma = attribute('gamma');
    const slope = f('Where', f('Greater', x, 0), gamma, f('Add', y, gamma * attribute('alpha')));
    return f('Mul', g, slope);
  }),
  Shrink: unary(({ f, x, attribute, where }) => where(f('Greater', f('Abs', x), attribute('lambd')), 0)),
  Sigmoid: unary(({ f, y, g }) => f('Mul', g, f('Mul', y, f('Sub', 1, y)))),
  Sin: unary(({ f, x, g }) => f('Mul', g, f('Cos', x))),
  Sinh: unary(({ f, x, g }) => f('Mul', g, f('Cosh', x))),
  Softplus: unary(({ f, x, g }) => f('Mul', g, f('Sigmoid', x))),
  Softsign: unary(({ f, x, g }) => f('Div', g, square(f, f('Add', f('Abs', x), 1)))),
  Sqrt: unary(({ f, y, g }) => f('Div', g, f('Mul', y, 2))),
  Swish: unary((u) => swish(u.attribute('alpha'), u)),
  Tan: bySquare(1, 1),
  Tanh: bySquare(-1, 1),
  ThresholdedRelu: unary(({ f, x, attribute, where }) => where(f('Greater', x, attribute('alpha')), 0)),
};

/** Gradients of broadcast inputs; `parts` returns each before the broadcast is undone. */
const broadcasting =
  (parts: (f: Arithmetic, g: Value, inputs: readonly Value[], y: Value) => readonly Value[]): BackwardRule =>
  (c) => {
    const inputs = givenInputs(c).map((i) => c.input(i));
    return parts(arithmetic(c), upstreamOf(c), inputs, c.output(0)).map((part, i) => reducedTo(c, part, i));
  };

const binary = (parts: (f: Arithmetic, g: Value, a: Value, b: Value) => readonly [Value, Value]): BackwardRule =>
  broadcasting((f, g, [a, b]) => parts(f, g, a as Value, b as Value));

/** Rounds toward zero, like the quotient of fmod. */
const truncated = (f: Arithmetic, x: Value): Value => f('Mul', f('Sign', x), f('Floor', f('Abs', x)));

/** The largest or smallest inputs share g equally. */
const extreme = broadcasting((f, g, inputs, y) => {
  const chosen = inputs.map((x) => f('Where', f('Equal', x, y), 1, 0));
  const share = f('Div', g, f('Sum', ...chosen));
  return chosen.map((one) => f('Mul', share, one));
});

function pow(c: Backward): Value[] {
  const f = arithmetic(c);
  const [x, g] = [c.input(0), upstreamOf(c)];
  const p = c.element(1) === c.element(0) ? c.input(1) : castTo(c, c.input(1), c.element(0));
  const byBase = f('Mul', g, f('Mul', p, f('Pow', x, f('Sub', p, 1))));
  const logarithm = f('Where', f('Equal', x, 0), 0, f('Log', x));
  const flat = f('Where', f('Equal', p, 0), 0, byBase);
  return [reducedTo(c, flat, 0), reducedTo(c, f('Mul', g, f('Mul', c.output(0), logarithm)), 1)];
}

function prelu(c: Backward): Value[] {
  const f = arithmetic(c);
  const [x, slope, g] = [c.input(0), c.input(1), upstreamOf(c)];
  const positive = f('Greater', x, 0);
  const bySlope = f('Where', positive, 0, f('Mul', g, x));
  return [f('Where', positive, g, f('Mul', g, slope)), reducedTo(c, bySlope, 1)];
}

function swiGlu(c: Backward): Value[] {
  const f = arithmetic(c);
  const [a, b, g] = [c.input(0), c.input(1), upstreamOf(c)];
  const alpha = c.attributes.alpha as number;
  const gate = f('Mul', a, f('Sigmoid', f('Mul', a, alpha)));
  return [swish(alpha, { f, x: a, g: f('Mul', g, b) }), f('Mul', g, gate)];
}

/** A bound receives the gradient of the elements that it clips. */
function clip(c: Backward): (Value | null)[] {
  const f = arithmetic(c);
  const [x, g] = [c.input(0), upstreamOf(c)];
  const bound = (i: number, name: string) => (c.given(i) ? c.input(i) : (c.attributes[name] as number | undefined));
  const [low, high] = [bound(1, 'min'), bound(2, 'max')];
  const below = low === undefined ? null : f('Less', x, low);
  const above = high === undefined ? null : f('Greater', x, high);
  const inside = [below, above].reduce<Value>((kept, out) => (out ? f('Where', out, 0, kept) : kept), g);
  const byBound = (i: number, out: Value | null) => (c.given(i) && out ? reducedTo(c, f('Where', out, g, 0), i) : null);
  return [inside, byBound(1, below), byBound(2, above)];
}

/** Gradients of operators that compute each element from those at the same position of their inputs. */
export const elementwise: BackwardRules = {
  ...unaries,
  Add: binary((_f, g) => [g, g]),
  Clip: clip,
  Div: binary((f, g, a, b) => [f('Div', g, b), f('Neg', f('Div', f('Mul', g, a), f('Mul', b, b)))]),
  Gelu: (c) => unary(c.attributes.approximate === 'tanh' ? geluByTanh : geluByErf)(c),
  Max: extreme,
  Mean: broadcasting((f, g, inputs) => inputs.map(() => f('Div', g, inputs.length))),
  Min: extreme,
  Mod: binary((f, g, a, b) => [g, f('Neg', f('Mul', g, truncated(f, f('Div', a, b))))]),
  Mul: binary((f, g, a, b) => [f('Mul', g, b), f('Mul', g, a)]),
  PRelu: prelu,
  Pow: pow,
  Sub: binary((f, g) => [g, f('Neg', g)]),
  Sum: broadcasting((_f, g, inputs) => inputs.map(() => g)),
  SwiGLU: swiGlu,
  Where(c) {
    const f = arithmeticOn(c, c.element(1));
    const [condition, g] = [c.input(0), upstreamOf(c)];
    return [null, reducedTo(c, f('Where', condition, g, 0), 1), reducedTo(c, f('Where', condition, 0, g), 2)];
  },
};
