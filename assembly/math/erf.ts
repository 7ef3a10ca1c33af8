import { atLeast, atMost } from './clamp';
import { MINUS_ONE, ONE, splat32 } from './constants';
import { horner } from './madd';

// erf x = x·P(x²)/Q(x²) on |x| ≤ 3.85, relative error 1.4e-8; at 4.05 it exceeds 1 by 7e-7, which the last clamp removes.
const P0 = memory.data<f32>([1.1283791065216064], 4);
const P1 = memory.data<f32>([0.18789558112621307], 4);
const P2 = memory.data<f32>([0.05247937887907028], 4);
const P3 = memory.data<f32>([0.0036738268099725246], 4);
const P4 = memory.data<f32>([2.856701030395925e-4], 4);
const P5 = memory.data<f32>([2.1082644252601312e-6], 4);
const Q1 = memory.data<f32>([0.4998510181903839], 4);
const Q2 = memory.data<f32>([0.11312804371118546], 4);
const Q3 = memory.data<f32>([0.01478468719869852], 4);
const Q4 = memory.data<f32>([0.001145471353083849], 4);
const Q5 = memory.data<f32>([3.873151581501588e-5], 4);

const LOWEST = memory.data<f32>([-4.05], 4);
const HIGHEST = memory.data<f32>([4.05], 4);

/** erf x within 7 ULP, always in −1…1; NaN stays. */
@inline
export function erf(x: v128): v128 {
  const t = atMost(atLeast(x, splat32(LOWEST)), splat32(HIGHEST));
  const z = f32x4.mul(t, t);
  let p = horner(splat32(P5), z, P4);
  p = horner(p, z, P3);
  p = horner(p, z, P2);
  p = horner(p, z, P1);
  p = horner(p, z, P0);
  let q = horner(splat32(Q5), z, Q4);
  q = horner(q, z, Q3);
  q = horner(q, z, Q2);
  q = horner(q, z, Q1);
  q = horner(q, z, ONE);
  return atMost(atLeast(f32x4.div(f32x4.mul(t, p), q), splat32(MINUS_ONE)), splat32(ONE));
}
