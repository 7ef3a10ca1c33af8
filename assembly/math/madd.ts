import { splat32 } from './constants';

/** a·b + c per lane; the relaxed variant rounds once on machines with a fused instruction. */
@inline
export function madd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return v128.relaxed_madd<f32>(a, b, c);
  return f32x4.add(f32x4.mul(a, b), c);
}

/** p·x + the f32 at `c`: one step of Horner's rule. */
@inline
export function horner(p: v128, x: v128, c: usize): v128 {
  return madd(p, x, splat32(c));
}
