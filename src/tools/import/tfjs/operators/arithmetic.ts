import type { Value } from '../../../../graph/graph.js';
import type { ElementType } from '../../../../tensor/element-types.js';
import { type Draft, float } from '../draft.js';
import type { Operators } from './operator.js';

/** Parses pairs of TensorFlow's and ONNX's names, such as `LogicalNot=Not`. Equal names are given once. */
const rows = (text: string): [string, string][] =>
  text.split(/\s+/).map((row) => {
    const [name = '', op = name] = row.split('=');
    return [name, op];
  });

const UNARY = rows(
  `Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Elu Erf Exp Floor Log Neg Reciprocal Relu Round Selu Sigmoid Sign Sin Sinh Softplus
  Sqrt Tan Tanh LogicalNot=Not`,
);

const BINARY = rows(
  `Add AddV2=Add Sub Mul Pow Maximum=Max Minimum=Min Equal Greater GreaterEqual=GreaterOrEqual Less LessEqual=LessOrEqual LogicalAnd=And
  LogicalOr=Or BitwiseAnd`,
);

/**
 * TensorFlow's and ONNX's names of element-wise operators. If TensorFlow has two names for one operator, the newer is
 * last.
 */
export const namesOfElementwise: readonly (readonly [string, string])[] = [...UNARY, ...BINARY];

const WIDTH: readonly ElementType[] = ['bool', 'int32', 'float32'];

/** Casts operands to the widest of their types. */
export function matched(d: Draft, values: readonly Value[]): Value[] {
  const types = values.map((value) => d.element(value));
  const widest = WIDTH[Math.max(...types.map((type) => WIDTH.indexOf(type)))];
  return widest ? values.map((value) => d.cast(value, widest)) : [...values];
}

const isInteger = (d: Draft, x: Value) => d.element(x) === 'int32';
const zero = (d: Draft, x: Value) => d.number(d.element(x), 0);
const one = (d: Draft, x: Value) => d.number(d.element(x), 1);
const square = (d: Draft, x: Value) => d.op('Mul', [x, x]);

/** The remainder with the sign of the divisor. */
function remainder(d: Draft, a: Value, b: Value): Value {
  if (isInteger(d, a)) return d.op('Mod', [a, b]);
  const rest = d.op('Mod', [a, b], { fmod: 1 });
  const isBelow = (x: Value) => d.op('Less', [x, zero(d, x)]);
  const isSame = d.op('Equal', [isBelow(a), isBelow(b)]);
  return d.op('Where', [isSame, rest, d.op('Mod', [d.op('Add', [rest, b]), b], { fmod: 1 })]);
}

/** Integer and float division, rounded down. */
function floorDivided(d: Draft, a: Value, b: Value): Value {
  if (isInteger(d, a)) return d.op('Div', [d.op('Sub', [a, remainder(d, a, b)]), b]);
  return d.op('Floor', [d.op('Div', [a, b])]);
}

function arcTangent(d: Draft, y: Value, x: Value): Value {
  const nothing = zero(d, x);
  const half = d.op('Atan', [d.op('Div', [y, x])]);
  const turned = d.op('Where', [
    d.op('Less', [y, nothing]),
    d.number('float32', -Math.PI),
    d.number('float32', Math.PI),
  ]);
  const isLeft = d.op('Less', [x, nothing]);
  const whole = d.op('Where', [isLeft, d.op('Add', [half, turned]), half]);
  const isOrigin = d.op('And', [d.op('Equal', [x, nothing]), d.op('Equal', [y, nothing])]);
  return d.op('Where', [isOrigin, nothing, whole]);
}

/** Applies an activation by its name in Keras or in fused operators. */
export function activated(d: Draft, x: Value, name: string, more: { alpha?: number; slope?: Value } = {}): Value {
  if (/^relu_?6$/i.test(name)) return clipped(d, x, 0, 6);
  if (/^prelu$/i.test(name) && more.slope) return d.op('PRelu', [x, more.slope]);
  if (/^leaky_?relu$/i.test(name)) return d.op('LeakyRelu', [x], { alpha: float(more.alpha ?? 0.2) });
  return d.op(name, [x]);
}

export const clipped = (d: Draft, x: Value, least: number, most: number): Value =>
  d.op('Clip', [x, d.number(d.element(x), least), d.number(d.element(x), most)]);

export const arithmetic: Operators = {
  ...Object.fromEntries(
    UNARY.map(([name, op]) => [name, ([x], d) => d.op(op, [x])] satisfies [string, Operators[string]]),
  ),
  ...Object.fromEntries(
    BINARY.map(
      ([name, op]) => [name, ([a, b], d) => d.op(op, matched(d, [a, b]))] satisfies [string, Operators[string]],
    ),
  ),
  NotEqual: ([a, b], d) => d.op('Not', [d.op('Equal', matched(d, [a, b]))]),
  BiasAdd: ([x, bias], d, a) => {
    const isFirst = a.text('data_format') === 'NCHW' && d.rank(x) > 2;
    return d.op('Add', [x, isFirst ? d.reshape(bias, -1, ...new Array(d.rank(x) - 2).fill(1)) : bias]);
  },
  AddN: (values, d) => d.op('Sum', values),
  Div: ([a, b], d) => (isInteger(d, a) && isInteger(d, b) ? floorDivided(d, a, b) : d.op('Div', matched(d, [a, b]))),
  RealDiv: ([a, b], d) =>
    isInteger(d, a) && isInteger(d, b) ? floorDivided(d, a, b) : d.op('Div', matched(d, [a, b])),
  FloorDiv: ([a, b], d) => floorDivided(d, ...(matched(d, [a, b]) as [Value, Value])),
  DivNoNan: ([a, b], d) => d.op('Where', [d.op('Equal', [b, zero(d, b)]), zero(d, a), d.op('Div', [a, b])]),
  Mod: ([a, b], d) => remainder(d, ...(matched(d, [a, b]) as [Value, Value])),
  FloorMod: ([a, b], d) => remainder(d, ...(matched(d, [a, b]) as [Value, Value])),
  SquaredDifference: ([a, b], d) => square(d, d.op('Sub', matched(d, [a, b]))),
  Square: ([x], d) => square(d, x),
  Rsqrt: ([x], d) => d.op('Reciprocal', [d.op('Sqrt', [x])]),
  Expm1: ([x], d) => d.op('Sub', [d.op('Exp', [x]), one(d, x)]),
  Log1p: ([x], d) => d.op('Log', [d.op('Add', [x, one(d, x)])]),
  Atan2: ([y, x], d) => arcTangent(d, y, x),
  Relu6: ([x], d) => clipped(d, x, 0, 6),
  ClipByValue: ([x, least, most], d) => d.op('Clip', [x, d.cast(least, d.element(x)), d.cast(most, d.element(x))]),
  LeakyRelu: ([x], d, a) => d.op('LeakyRelu', [x], { alpha: float(a.number('alpha', 0.2)) }),
  Prelu: ([x, slope], d) => d.op('PRelu', [x, slope]),
  IsNan: ([x], d) => d.op('IsNaN', [x]),
  IsInf: ([x], d) => d.op('IsInf', [x]),
  IsFinite: ([x], d) => d.op('Not', [d.op('Or', [d.op('IsNaN', [x]), d.op('IsInf', [x])])]),
  Select: ([condition, a, b], d) => d.op('Where', [condition, ...matched(d, [a, b])]),
  SelectV2: ([condition, a, b], d) => d.op('Where', [condition, ...matched(d, [a, b])]),
  Cast: ([x], d, a) => d.cast(x, a.element('DstT', 'float32')),
};
