import { geluErf, geluTanh, hardSigmoid, hardSwish, leakyRelu, silu } from './math/activation';
import { clamp } from './math/clamp';
import { sigmoid } from './math/sigmoid';
import { tanh } from './math/tanh';

export enum Activation {
  None,
  /** min(max(x, alpha), beta); Relu is Clip(0, +∞). */
  Clip,
  /** x < 0 ? alpha·x : x */
  LeakyRelu,
  Sigmoid,
  /** x·sigmoid(x) */
  Silu,
  HardSwish,
  /** min(max(alpha·x + beta, 0), 1) */
  HardSigmoid,
  GeluErf,
  GeluTanh,
  Tanh,
}

/**
 * Epilogue of a matrix product or a convolution: y = activate(sum + bias[channel] + residual[index of y]). Base of their parameter classes.
 * `bias` and `residual` may be 0.
 */
@unmanaged
export class Epilogue {
  bias: usize = 0;
  residual: usize = 0;
  activation: i32 = Activation.None;
  alpha: f32 = 0;
  beta: f32 = 0;
}

@inline
function apply(x: v128, kind: i32, alpha: f32, beta: f32): v128 {
  if (kind == Activation.None) return x;
  if (kind == Activation.Clip) return clamp(x, alpha, beta);
  if (kind == Activation.LeakyRelu) return leakyRelu(x, alpha);
  if (kind == Activation.Sigmoid) return sigmoid(x);
  if (kind == Activation.Silu) return silu(x);
  if (kind == Activation.HardSwish) return hardSwish(x);
  if (kind == Activation.HardSigmoid) return hardSigmoid(x, alpha, beta);
  if (kind == Activation.GeluErf) return geluErf(x);
  if (kind == Activation.GeluTanh) return geluTanh(x);
  return tanh(x);
}

/** Applies an activation to one vector. For loops, activateRun dispatches once per run instead. */
export function activate(x: v128, kind: i32, alpha: f32, beta: f32): v128 {
  return apply(x, kind, alpha, beta);
}

@inline
function sweep(y: usize, count: i32, kind: i32, alpha: f32, beta: f32): void {
  const end = y + ((<usize>count) << 2);
  const whole = y + ((<usize>(count & ~3)) << 2);
  for (; y < whole; y += 16) v128.store(y, apply(v128.load(y), kind, alpha, beta));
  for (; y < end; y += 4) v128.store_lane<f32>(y, apply(v128.load32_splat(y), kind, alpha, beta), 0);
}

/** Activates `count` floats at `y` in place; bit-identical to `activate`, however they are grouped. */
export function activateRun(y: usize, count: i32, kind: i32, alpha: f32, beta: f32): void {
  switch (kind) {
    case Activation.None: return;
    case Activation.Clip: return sweep(y, count, Activation.Clip, alpha, beta);
    case Activation.LeakyRelu: return sweep(y, count, Activation.LeakyRelu, alpha, beta);
    case Activation.Sigmoid: return sweep(y, count, Activation.Sigmoid, alpha, beta);
    case Activation.Silu: return sweep(y, count, Activation.Silu, alpha, beta);
    case Activation.HardSwish: return sweep(y, count, Activation.HardSwish, alpha, beta);
    case Activation.HardSigmoid: return sweep(y, count, Activation.HardSigmoid, alpha, beta);
    case Activation.GeluErf: return sweep(y, count, Activation.GeluErf, alpha, beta);
    case Activation.GeluTanh: return sweep(y, count, Activation.GeluTanh, alpha, beta);
    case Activation.Tanh: return sweep(y, count, Activation.Tanh, alpha, beta);
  }
}
