import { erf64 } from '../math/erf64';
import { exp64, log64, pow64 } from '../math/float64';
import { Opcode } from './opcodes';

/** Remainder with the sign of b. */
function modulo(a: f64, b: f64): f64 {
  const r = NativeMath.mod(a, b);
  return r != 0 && r < 0 != b < 0 ? r + b : r;
}

@inline
function logistic(x: f64): f64 {
  return 1 / (1 + exp64(-x));
}

@inline
function softplus(x: f64): f64 {
  return max<f64>(x, 0) + NativeMath.log1p(exp64(-abs<f64>(x)));
}

function geluTanh(x: f64): f64 {
  return 0.5 * x * (1 + NativeMath.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

function celu(x: f64, alpha: f64): f64 {
  return x > 0 ? x : alpha * NativeMath.expm1(x / alpha);
}

function scalar(op: i32, a: f64, b: f64, alpha: f64, beta: f64): f64 {
  switch (op) {
    case Opcode.Pow: return pow64(a, b);
    case Opcode.Mod: return modulo(a, b);
    case Opcode.Fmod: return NativeMath.mod(a, b);
    case Opcode.Sin: return NativeMath.sin(a);
    case Opcode.Cos: return NativeMath.cos(a);
    case Opcode.Tan: return NativeMath.tan(a);
    case Opcode.Asin: return NativeMath.asin(a);
    case Opcode.Acos: return NativeMath.acos(a);
    case Opcode.Atan: return NativeMath.atan(a);
    case Opcode.Sinh: return NativeMath.sinh(a);
    case Opcode.Cosh: return NativeMath.cosh(a);
    case Opcode.Asinh: return NativeMath.asinh(a);
    case Opcode.Acosh: return NativeMath.acosh(a);
    case Opcode.Atanh: return NativeMath.atanh(a);
    case Opcode.Exp: return exp64(a);
    case Opcode.Log: return log64(a);
    case Opcode.Erf: return erf64(a);
    case Opcode.Tanh: return NativeMath.tanh(a);
    case Opcode.Sigmoid: return logistic(a);
    case Opcode.Silu: return a * logistic(a);
    case Opcode.Softplus: return softplus(a);
    case Opcode.Elu: return a >= 0 ? a : alpha * NativeMath.expm1(a);
    case Opcode.Selu: return beta * (a > 0 ? a : a == 0 ? 0 : alpha * NativeMath.expm1(a));
    case Opcode.Celu: return celu(a, alpha);
    case Opcode.HardSigmoid: return min<f64>(max<f64>(alpha * a + beta, 0), 1);
    case Opcode.HardSwish: return a * min<f64>(max<f64>(a / 6 + 0.5, 0), 1);
    case Opcode.GeluErf: return 0.5 * a * (1 + erf64(a * Math.SQRT1_2));
    case Opcode.GeluTanh: return geluTanh(a);
    case Opcode.Mish: return a * NativeMath.tanh(softplus(a));
  }
  return NaN;
}

/** Runs one instruction over a block, element by element in f64, for operations without a SIMD form. */
export function scalars<T>(
  op: i32, y: usize, end: usize, a: usize, sa: usize, b: usize, sb: usize, alpha: T, beta: T,
): void {
  for (; y < end; y += sizeof<T>(), a += sa, b += sb)
    store<T>(y, <T>scalar(op, <f64>load<T>(a), <f64>load<T>(b), <f64>alpha, <f64>beta));
}
