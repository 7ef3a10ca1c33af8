import type { OpcodeName } from '../graph/expression.js';

type Formula = (a: number, b: number, c: number, alpha: number, beta: number) => number;
type IntegerFormula = (a: bigint, b: bigint, c: bigint) => bigint;

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const clamp = (x: number, low: number, high: number) => (x < low ? low : x > high ? high : x);
const flag = (b: boolean) => (b ? 1 : 0);
const select = (x: number, negative: number) => (x < 0 ? negative : x);

/** erf by its series below 2.5 and its continued fraction above; relative error below 1e-14. */
function erf(x: number): number {
  const z = Math.abs(x);
  if (z > 6) return Math.sign(x);
  if (z > 2.5) {
    let fraction = 0;
    for (let k = 60; k > 0; k--) fraction = k / 2 / (z + fraction);
    return Math.sign(x) * (1 - Math.exp(-z * z) / Math.sqrt(Math.PI) / (z + fraction));
  }
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function roundHalfEven(x: number): number {
  const nearest = Math.round(x);
  return Math.abs(x % 1) === 0.5 && nearest % 2 !== 0 ? nearest - 1 : nearest;
}

const selu = (x: number, alpha: number, gamma: number) => gamma * (x > 0 ? x : alpha * (Math.expm1(x) + 0));

/** Power as in C and IEEE 754. ECMAScript's `**` returns NaN for 1 ** NaN and ±1 ** ±∞. */
const power = (x: number, y: number) =>
  x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY) ? 1 : x ** y;

/** Sign of x: +0 for either zero; NaN stays NaN. */
const sign = (x: number) => (Number.isNaN(x) ? x : flag(x > 0) - flag(x < 0));

/** Every elementwise operation in double precision. */
export const FORMULAS: Record<OpcodeName, Formula> = {
  Copy: (a) => a,
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  MulAdd: (a, b, c) => a * b + c,
  Div: (a, b) => a / b,
  Pow: power,
  Mod: (a, b) => a - b * Math.floor(a / b),
  Fmod: (a, b) => a % b,
  Min: (a, b) => Math.min(a, b),
  Max: (a, b) => Math.max(a, b),
  Neg: (a) => -a,
  Abs: Math.abs,
  Sign: sign,
  Clip: (a, _b, _c, low, high) => clamp(a, low, high),
  Where: (a, b, c) => (a ? b : c),
  Not: (a) => flag(!a),
  And: (a, b) => flag(Boolean(a && b)),
  Or: (a, b) => flag(Boolean(a || b)),
  Xor: (a, b) => flag(Boolean(a) !== Boolean(b)),
  Equal: (a, b) => flag(a === b),
  Less: (a, b) => flag(a < b),
  LessOrEqual: (a, b) => flag(a <= b),
  Greater: (a, b) => flag(a > b),
  GreaterOrEqual: (a, b) => flag(a >= b),
  BitNot: (a) => ~a,
  BitAnd: (a, b) => a & b,
  BitOr: (a, b) => a | b,
  BitXor: (a, b) => a ^ b,
  ShiftLeft: (a, b) => (b > 31 ? 0 : a << b),
  ShiftRight: (a, b) => (b > 31 ? 0 : a >>> b),
  SignExtend: (a, _b, _c, bits) => (a << (32 - bits)) >> (32 - bits),
  ZeroExtend: (a, _b, _c, bits) => (a << (32 - bits)) >>> (32 - bits),
  Reciprocal: (a) => 1 / a,
  Sqrt: Math.sqrt,
  Exp: Math.exp,
  Log: Math.log,
  Erf: erf,
  Tanh: Math.tanh,
  Sigmoid: sigmoid,
  Silu: (a) => a * sigmoid(a),
  Softplus: softplus,
  Softsign: (a) => a / (1 + Math.abs(a)),
  LeakyRelu: (a, _b, _c, alpha) => select(a, alpha * a),
  PRelu: (a, b) => select(a, a * b),
  Elu: (a, _b, _c, alpha) => select(a, alpha * Math.expm1(a)),
  Selu: (a, _b, _c, alpha, gamma) => selu(a, alpha, gamma),
  Celu: (a, _b, _c, alpha) => Math.max(a, 0) + Math.min(0, alpha * Math.expm1(a / alpha)),
  ThresholdedRelu: (a, _b, _c, alpha) => (a > alpha ? a : 0),
  HardSigmoid: (a, _b, _c, alpha, beta) => clamp(alpha * a + beta, 0, 1),
  HardSwish: (a) => a * clamp(a / 6 + 0.5, 0, 1),
  GeluErf: (a) => 0.5 * a * (1 + erf(a / Math.SQRT2)),
  GeluTanh: (a) => 0.5 * a * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (a + 0.044715 * a ** 3))),
  Mish: (a) => a * Math.tanh(softplus(a)),
  Floor: Math.floor,
  Ceil: Math.ceil,
  Round: roundHalfEven,
  IsNaN: (a) => flag(Number.isNaN(a)),
  IsInf: (a, _b, _c, positive, negative) =>
    flag((a === Number.POSITIVE_INFINITY && positive !== 0) || (a === Number.NEGATIVE_INFINITY && negative !== 0)),
  Sin: Math.sin,
  Cos: Math.cos,
  Tan: Math.tan,
  Asin: Math.asin,
  Acos: Math.acos,
  Atan: Math.atan,
  Sinh: Math.sinh,
  Cosh: Math.cosh,
  Asinh: Math.asinh,
  Acosh: Math.acosh,
  Atanh: Math.atanh,
};

/** The low 32 bits of a power; a negative exponent truncates toward 0. */
function wrappedPower(base: number, exponent: number): number {
  if (exponent < 0) return Math.trunc(base ** exponent);
  let power = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest >>>= 1) {
    if (rest & 1) power = Math.imul(power, square);
    square = Math.imul(square, square);
  }
  return power;
}

/** Operations that wrap at 32 bits and would lose low bits in double precision. */
export const WRAPPING_FORMULAS: Partial<Record<OpcodeName, Formula>> = {
  Mul: Math.imul,
  MulAdd: (a, b, c) => Math.imul(a, b) + c,
  Pow: wrappedPower,
};

const bigFlag = (b: boolean) => (b ? 1n : 0n);

/** The low 64 bits of a power. The full power could fill memory. A negative exponent truncates toward 0. */
function integerPower(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) return base === 1n || base === -1n ? integerPower(base, -exponent) : 0n;
  let power = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = BigInt.asIntN(64, power * square);
    square = BigInt.asIntN(64, square * square);
  }
  return power;
}

/** Operations that must be exact for integers. */
export const INTEGER_FORMULAS: Partial<Record<OpcodeName, IntegerFormula>> = {
  Copy: (a) => a,
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Mul: (a, b) => a * b,
  Div: (a, b) => (b === 0n ? 0n : a / b),
  Mod: (a, b) => (b === 0n ? 0n : ((a % b) + b) % b),
  Fmod: (a, b) => (b === 0n ? 0n : a % b),
  Pow: integerPower,
  Min: (a, b) => (a < b ? a : b),
  Max: (a, b) => (a > b ? a : b),
  Neg: (a) => -a,
  Abs: (a) => (a < 0n ? -a : a),
  Sign: (a) => (a > 0n ? 1n : a < 0n ? -1n : 0n),
  Where: (a, b, c) => (a ? b : c),
  Not: (a) => bigFlag(!a),
  Equal: (a, b) => bigFlag(a === b),
  Less: (a, b) => bigFlag(a < b),
  LessOrEqual: (a, b) => bigFlag(a <= b),
  Greater: (a, b) => bigFlag(a > b),
  GreaterOrEqual: (a, b) => bigFlag(a >= b),
  BitNot: (a) => ~a,
  BitAnd: (a, b) => a & b,
  BitOr: (a, b) => a | b,
  BitXor: (a, b) => a ^ b,
  ShiftLeft: (a, b) => (b > 63n ? 0n : a << b),
  ShiftRight: (a, b) => a >> b,
};
