import { clamp } from './clamp';
import { horner } from './madd';

// erf x = x·P(x²)/Q(x²) on |x| ≤ 3.85, relative error 1.4e-8; at 4.05 it exceeds 1 by 7e-7, which the last clamp takes away.
const P0: f32 = 1.1283791065216064;
const P1: f32 = 0.18789558112621307;
const P2: f32 = 0.05247937887907028;
const P3: f32 = 0.0036738268099725246;
const P4: f32 = 2.856701030395925e-4;
const P5: f32 = 2.1082644252601312e-6;
const Q1: f32 = 0.4998510181903839;
const Q2: f32 = 0.11312804371118546;
const Q3: f32 = 0.01478468719869852;
const Q4: f32 = 0.001145471353083849;
const Q5: f32 = 3.873151581501588e-5;

/** erf x within 7 ULP, always in −1…1; NaN stays. */
@inline
export function erf(x: v128): v128 {
  const t = clamp(x, -4.05, 4.05);
  const z = f32x4.mul(t, t);
  let p = horner(f32x4.splat(P5), z, P4);
  p = horner(p, z, P3);
  p = horner(p, z, P2);
  p = horner(p, z, P1);
  p = horner(p, z, P0);
  let q = horner(f32x4.splat(Q5), z, Q4);
  q = horner(q, z, Q3);
  q = horner(q, z, Q2);
  q = horner(q, z, Q1);
  q = horner(q, z, 1);
  return clamp(f32x4.div(f32x4.mul(t, p), q), -1, 1);
}
