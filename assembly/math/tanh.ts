import { atLeast, atMost } from './clamp';
import { MINUS_ONE, ONE, splat32 } from './constants';
import { horner } from './madd';

// tanh x = x·P(x²)/Q(x²) on |x| ≤ 9, relative error 2.1e-8; at 9.8 it exceeds 1 by 1e-6, which the last clamp removes.
const P1 = memory.data<f32>([0.1338103860616684], 4);
const P2 = memory.data<f32>([0.003495603334158659], 4);
const P3 = memory.data<f32>([2.0609302737284452e-5], 4);
const P4 = memory.data<f32>([1.3354913619423314e-8], 4);
const Q1 = memory.data<f32>([0.46714353561401367], 4);
const Q2 = memory.data<f32>([0.02587704174220562], 4);
const Q3 = memory.data<f32>([3.2856586039997637e-4], 4);
const Q4 = memory.data<f32>([7.776673101034248e-7], 4);

const LOWEST = memory.data<f32>([-9.8], 4);
const HIGHEST = memory.data<f32>([9.8], 4);

/** tanh x within 6 ULP, always in −1…1; NaN stays. */
@inline
export function tanh(x: v128): v128 {
  const t = atMost(atLeast(x, splat32(LOWEST)), splat32(HIGHEST));
  const z = f32x4.mul(t, t);
  let p = horner(splat32(P4), z, P3);
  p = horner(p, z, P2);
  p = horner(p, z, P1);
  p = horner(p, z, ONE);
  let q = horner(splat32(Q4), z, Q3);
  q = horner(q, z, Q2);
  q = horner(q, z, Q1);
  q = horner(q, z, ONE);
  return atMost(atLeast(f32x4.div(f32x4.mul(t, p), q), splat32(MINUS_ONE)), splat32(ONE));
}
