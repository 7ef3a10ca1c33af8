import { hardSigmoid, leakyRelu } from '../math/activation';
import { atLeast } from '../math/clamp';
import { exp, expNonPositive } from '../math/exp';
import { log } from '../math/log';
import { sigmoid } from '../math/sigmoid';
import { tanh } from '../math/tanh';

/** The activations that ONNX allows in recurrent operators, with their alpha and beta. */
export enum RecurrentActivation {
  Sigmoid,
  Tanh,
  Relu,
  /** alpha·x + beta */
  Affine,
  /** x < 0 ? alpha·x : x */
  LeakyRelu,
  /** x > alpha ? x : 0 */
  ThresholdedRelu,
  /** alpha·tanh(beta·x) */
  ScaledTanh,
  /** min(max(alpha·x + beta, 0), 1) */
  HardSigmoid,
  /** x < 0 ? alpha·(e^x − 1) : x */
  Elu,
  /** x / (1 + |x|) */
  Softsign,
  /** ln(1 + e^x) */
  Softplus,
}

function rareActivation(kind: i32, alpha: f32, beta: f32, x: v128): v128 {
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  const a = f32x4.splat(alpha), b = f32x4.splat(beta);
  switch (kind) {
    case RecurrentActivation.Relu:
      return atLeast(x, zero);
    case RecurrentActivation.Affine:
      return f32x4.add(f32x4.mul(a, x), b);
    case RecurrentActivation.LeakyRelu:
      return leakyRelu(x, alpha);
    case RecurrentActivation.ThresholdedRelu:
      return v128.and(x, f32x4.gt(x, a));
    case RecurrentActivation.ScaledTanh:
      return f32x4.mul(a, tanh(f32x4.mul(b, x)));
    case RecurrentActivation.HardSigmoid:
      return hardSigmoid(x, alpha, beta);
    case RecurrentActivation.Elu:
      return v128.bitselect(f32x4.mul(a, f32x4.sub(exp(x), one)), x, f32x4.lt(x, zero));
    case RecurrentActivation.Softsign:
      return f32x4.div(x, f32x4.add(one, f32x4.abs(x)));
    default:
      return f32x4.add(atLeast(x, zero), log(f32x4.add(one, expNonPositive(f32x4.neg(f32x4.abs(x))))));
  }
}

@inline
export function gateActivation(kind: i32, alpha: f32, beta: f32, x: v128): v128 {
  if (kind == RecurrentActivation.Sigmoid) return sigmoid(x);
  if (kind == RecurrentActivation.Tanh) return tanh(x);
  return rareActivation(kind, alpha, beta, x);
}
