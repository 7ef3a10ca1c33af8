import { Activation, activateRun } from './epilogue';
import { madd } from './math/madd';

/**
 * Causal depthwise convolution along the last axis of x [batch][channels][length]:
 *   y[t] = activate(bias + Σ w[j]·padded[t + j]), where padded is the `taps` − 1 values of `past` followed by x.
 * w is [channels][taps]; y has the shape of x. past and present are [batch][channels][taps − 1]; present receives the end of padded. bias,
 * past (zeros), y and present (not computed) may be 0; present may be past.
 * A tile is `grain` rows of the batch · channels; tiles = ceil(batch · channels / grain).
 */
@unmanaged
export class CausalConvolutionParams {
  x: usize = 0;
  w: usize = 0;
  bias: usize = 0;
  past: usize = 0;
  y: usize = 0;
  present: usize = 0;
  batch: i32 = 0;
  channels: i32 = 0;
  length: i32 = 0;
  taps: i32 = 0;
  activation: i32 = Activation.None;
  grain: i32 = 0;
}

export function causalConvolution(p: CausalConvolutionParams, begin: i32, end: i32): void {
  const from = begin * p.grain;
  const to = min(end * p.grain, p.batch * p.channels);
  const row = <usize>p.length << 2;
  const state = <usize>(p.taps - 1) << 2;
  for (let r = from; r < to; r++) {
    const x = p.x + <usize>r * row;
    const past = p.past ? p.past + <usize>r * state : 0;
    if (p.y) convolveRow(p, r % p.channels, x, past, p.y + <usize>r * row);
    if (p.present) shift(p, x, past, p.present + <usize>r * state);
  }
  if (p.y) activateRun(p.y + <usize>from * row, (to - from) * p.length, p.activation, 0, 0);
}

function convolveRow(p: CausalConvolutionParams, channel: i32, x: usize, past: usize, y: usize): void {
  const w = p.w + <usize>channel * (<usize>p.taps << 2);
  const bias: f32 = p.bias ? load<f32>(p.bias + (<usize>channel << 2)) : 0;
  const early = min(p.taps - 1, p.length);
  let t = 0;
  for (; t < early; t++) store<f32>(y + (<usize>t << 2), earlyOutput(p, t, bias, w, x, past));
  x += <usize>(t - p.taps + 1) << 2;
  y += <usize>t << 2;
  for (; t + 16 <= p.length; t += 16, x += 64, y += 64) sixteen(p.taps, bias, w, x, y);
  for (; t + 4 <= p.length; t += 4, x += 16, y += 16) {
    let sum = f32x4.splat(bias);
    for (let j: usize = 0, bytes = <usize>p.taps << 2; j < bytes; j += 4)
      sum = madd(v128.load(x + j), v128.load32_splat(w + j), sum);
    v128.store(y, sum);
  }
  for (; t < p.length; t++, x += 4, y += 4) {
    let sum = f32x4.splat(bias);
    for (let j: usize = 0, bytes = <usize>p.taps << 2; j < bytes; j += 4)
      sum = madd(v128.load32_zero(x + j), v128.load32_zero(w + j), sum);
    v128.store_lane<f32>(y, sum, 0);
  }
}

/** Output t < taps − 1, which reads `past`. */
@inline
function earlyOutput(p: CausalConvolutionParams, t: i32, bias: f32, w: usize, x: usize, past: usize): f32 {
  const history = p.taps - 1 - t;
  let sum = f32x4.splat(bias);
  if (past) {
    for (let j = 0; j < history; j++) {
      const at = <usize>j << 2;
      sum = madd(v128.load32_zero(past + (<usize>t << 2) + at), v128.load32_zero(w + at), sum);
    }
  }
  w += <usize>history << 2;
  for (let j: usize = 0, bytes = <usize>(t + 1) << 2; j < bytes; j += 4)
    sum = madd(v128.load32_zero(x + j), v128.load32_zero(w + j), sum);
  return f32x4.extract_lane(sum, 0);
}

@inline
function sixteen(taps: i32, bias: f32, w: usize, x: usize, y: usize): void {
  let a0 = f32x4.splat(bias);
  let a1 = a0, a2 = a0, a3 = a0;
  for (let j = taps; j > 0; j--, x += 4, w += 4) {
    const weight = v128.load32_splat(w);
    a0 = madd(v128.load(x), weight, a0);
    a1 = madd(v128.load(x, 16), weight, a1);
    a2 = madd(v128.load(x, 32), weight, a2);
    a3 = madd(v128.load(x, 48), weight, a3);
  }
  v128.store(y, a0);
  v128.store(y, a1, 16);
  v128.store(y, a2, 32);
  v128.store(y, a3, 48);
}

/** Writes the last taps − 1 values of past and x. memory.copy is a call in V8, which costs more than copying these few words. */
@inline
function shift(p: CausalConvolutionParams, x: usize, past: usize, present: usize): void {
  const kept = p.taps - 1 - p.length;
  let i = 0;
  for (; i < kept; i++) {
    const value: f32 = past ? load<f32>(past + (<usize>(i + p.length) << 2)) : 0;
    store<f32>(present + (<usize>i << 2), value);
  }
  for (; i < p.taps - 1; i++) store<f32>(present + (<usize>i << 2), load<f32>(x + (<usize>(i - kept) << 2)));
}
