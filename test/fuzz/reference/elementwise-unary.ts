import { plain } from './array.js';
import { float, int, type Reference, type ReferenceNode, type References, tensor, text } from './definition.js';
import { erf, erfc } from './error-function.js';
import { halfEven, INTEGERS, isFloat, isInteger, isWide, wrap, wrapNumber } from './number-types.js';

type Map1 = (x: number) => number;

/** A function of floats alone; its attributes are read once a node. */
const ofFloats =
  (functionOf: (node: ReferenceNode) => Map1): Reference =>
  (node) => {
    const { type, dims, data } = tensor(node, 0);
    if (!isFloat(type)) return undefined;
    return [plain(type, dims, (data as readonly number[]).map(functionOf(node)))];
  };

/** What an earlier opset had other defaults for. */
const since =
  (opset: number, reference: Reference): Reference =>
  (node) =>
    node.opset < opset ? undefined : reference(node);

const fixed = (f: Map1): Reference => ofFloats(() => f);

/** The same formula for floats and integers, and for those of 64 bits. */
const ofNumbers =
  (f: Map1, wide: (x: bigint) => bigint): Reference =>
  (node) => {
    const { type, dims, data } = tensor(node, 0);
    if (isFloat(type)) return [plain(type, dims, (data as readonly number[]).map(f))];
    if (!isInteger(type)) return undefined;
    if (isWide(type))
      return [
        plain(
          type,
          dims,
          (data as readonly bigint[]).map((x) => wrap(type, wide(x))),
        ),
      ];
    return [
      plain(
        type,
        dims,
        (data as readonly number[]).map((x) => wrapNumber(type, f(x))),
      ),
    ];
  };

/** A question about floats. */
const asking =
  (questionOf: (node: ReferenceNode) => (x: number) => boolean): Reference =>
  (node) => {
    const { type, dims, data } = tensor(node, 0);
    if (!isFloat(type)) return undefined;
    const question = questionOf(node);
    return [
      plain(
        'bool',
        dims,
        (data as readonly number[]).map((x) => Number(question(x))),
      ),
    ];
  };

export const sigmoid: Map1 = (x) => 1 / (1 + Math.exp(-x));
/** log(1 + eˣ). */
export const softplus: Map1 = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
export const softsign: Map1 = (x) => x / (1 + Math.abs(x));

const gelu: Map1 = (x) => 0.5 * x * erfc(-x / Math.SQRT2);
const geluByTanh: Map1 = (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

export const UNARY: References = {
  Abs: ofNumbers(Math.abs, (x) => (x < 0n ? -x : x)),
  Neg: ofNumbers(
    (x) => -x,
    (x) => -x,
  ),
  Sign: ofNumbers(Math.sign, (x) => (x > 0n ? 1n : x < 0n ? -1n : 0n)),
  Relu: ofNumbers(
    (x) => Math.max(x, 0),
    (x) => (x > 0n ? x : 0n),
  ),
  Ceil: fixed(Math.ceil),
  Floor: fixed(Math.floor),
  Round: fixed(halfEven),
  Sqrt: fixed(Math.sqrt),
  Exp: fixed(Math.exp),
  Log: fixed(Math.log),
  Reciprocal: fixed((x) => 1 / x),
  Sin: fixed(Math.sin),
  Cos: fixed(Math.cos),
  Tan: fixed(Math.tan),
  Asin: fixed(Math.asin),
  Acos: fixed(Math.acos),
  Atan: fixed(Math.atan),
  Sinh: fixed(Math.sinh),
  Cosh: fixed(Math.cosh),
  Tanh: fixed(Math.tanh),
  Asinh: fixed(Math.asinh),
  Acosh: fixed(Math.acosh),
  Atanh: fixed(Math.atanh),
  Erf: fixed(erf),
  Sigmoid: fixed(sigmoid),
  Softplus: fixed(softplus),
  Softsign: fixed(softsign),
  HardSwish: fixed((x) => x * clamp(x / 6 + 0.5, 0, 1)),
  Mish: fixed((x) => x * Math.tanh(softplus(x))),
  Gelu: ofFloats((node) => (text(node, 'approximate', 'none') === 'tanh' ? geluByTanh : gelu)),
  Swish: ofFloats((node) => {
    const alpha = float(node, 'alpha', 1);
    return (x) => x * sigmoid(alpha * x);
  }),
  LeakyRelu: ofFloats((node) => {
    const alpha = float(node, 'alpha', 0.01);
    return (x) => (x < 0 ? alpha * x : x);
  }),
  Elu: ofFloats((node) => {
    const alpha = float(node, 'alpha', 1);
    return (x) => (x < 0 ? alpha * Math.expm1(x) : x);
  }),
  Selu: since(
    6,
    ofFloats((node) => {
      const alpha = float(node, 'alpha', 1.6732632);
      const gamma = float(node, 'gamma', 1.050701);
      return (x) => gamma * (x <= 0 ? alpha * Math.expm1(x) : x);
    }),
  ),
  Celu: ofFloats((node) => {
    const alpha = float(node, 'alpha', 1);
    return (x) => Math.max(0, x) + Math.min(0, alpha * Math.expm1(x / alpha));
  }),
  ThresholdedRelu: ofFloats((node) => {
    const alpha = float(node, 'alpha', 1);
    return (x) => (x > alpha ? x : 0);
  }),
  HardSigmoid: ofFloats((node) => {
    const alpha = float(node, 'alpha', 0.2);
    const beta = float(node, 'beta', 0.5);
    return (x) => clamp(alpha * x + beta, 0, 1);
  }),
  Shrink: ofFloats((node) => {
    const lambd = float(node, 'lambd', 0.5);
    const bias = float(node, 'bias', 0);
    return (x) => (x < -lambd ? x + bias : x > lambd ? x - bias : 0);
  }),
  IsNaN: asking(() => Number.isNaN),
  IsInf: asking((node) => {
    const positive = int(node, 'detect_positive', 1) !== 0;
    const negative = int(node, 'detect_negative', 1) !== 0;
    return (x) => (positive && x === Number.POSITIVE_INFINITY) || (negative && x === Number.NEGATIVE_INFINITY);
  }),
  Not: (node) => {
    const { dims, data } = tensor(node, 0);
    return [
      plain(
        'bool',
        dims,
        data.map((x) => 1 - (x as number)),
      ),
    ];
  },
  BitwiseNot: (node) => {
    const { type, dims, data } = tensor(node, 0);
    if (!(type in INTEGERS)) return undefined;
    return [
      plain(
        type,
        dims,
        data.map((x) => wrap(type, ~BigInt(x))),
      ),
    ];
  },
};
