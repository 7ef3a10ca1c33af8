import { clamp } from './clamp';
import { horner } from './madd';

// tanh x = x·P(x²)/Q(x²) on |x| ≤ 9, relative error 2.1e-8; at 9.8 it exceeds 1 by 1e-6, which the last clamp takes away.
const P1: f32 = 0.1338103860616684;
const P2: f32 = 0.003495603334158659;
const P3: f32 = 2.0609302737284452e-5;
const P4: f32 = 1.3354913619423314e-8;
const Q1: f32 = 0.46714353561401367;
const Q2: f32 = 0.02587704174220562;
const Q3: f32 = 3.2856586039997637e-4;
const Q4: f32 = 7.776673101034248e-7;

/** tanh x within 6 ULP, always in −1…1; NaN stays. */
@inline
export function tanh(x: v128): v128 {
  const t = clamp(x, -9.8, 9.8);
  const z = f32x4.mul(t, t);
  let p = horner(f32x4.splat(P4), z, P3);
  p = horner(p, z, P2);
  p = horner(p, z, P1);
  p = horner(p, z, 1);
  let q = horner(f32x4.splat(Q4), z, Q3);
  q = horner(q, z, Q2);
  q = horner(q, z, Q1);
  q = horner(q, z, 1);
  return clamp(f32x4.div(f32x4.mul(t, p), q), -1, 1);
}
