// pmin and pmax are one instruction each and keep a NaN in x if the bound is the second operand.

@inline
export function atLeast(x: v128, bound: v128): v128 {
  return f32x4.pmax(x, bound);
}

@inline
export function atMost(x: v128, bound: v128): v128 {
  return f32x4.pmin(x, bound);
}

/** Lanes of x clamped to low…high; NaN stays NaN, and high wins if low > high. */
@inline
export function clamp(x: v128, low: f32, high: f32): v128 {
  return atMost(atLeast(x, f32x4.splat(low)), f32x4.splat(high));
}
