// One-dimensional transforms of Winograd's minimal filtering F(SIZE, 3), Lavin and Gray, arXiv:1509.09308. SIZE 2 has the points 0, ±1, ∞,
// SIZE 4 the points 0, ±1, ±2, ∞. Each takes its line as values and stores the result `step` bytes apart. SIZE is a constant at every call,
// so only one branch is compiled.

/** Length of a transformed line. */
@inline
export function lineOf(SIZE: i32): i32 {
  return SIZE + 2;
}

@inline
function times(x: v128, factor: f32): v128 {
  return f32x4.mul(x, f32x4.splat(factor));
}

/** Bᵀd */
@inline
export function transformInput(
  SIZE: i32,
  d0: v128,
  d1: v128,
  d2: v128,
  d3: v128,
  d4: v128,
  d5: v128,
  to: usize,
  step: usize,
): void {
  if (SIZE == 2) {
    v128.store(to, f32x4.sub(d0, d2));
    v128.store(to + step, f32x4.add(d1, d2));
    v128.store(to + 2 * step, f32x4.sub(d2, d1));
    v128.store(to + 3 * step, f32x4.sub(d3, d1));
  } else {
    const even = f32x4.sub(d4, times(d2, 4));
    const odd = f32x4.sub(d3, times(d1, 4));
    const near = f32x4.sub(d4, d2);
    const far = times(f32x4.sub(d3, d1), 2);
    v128.store(to, f32x4.add(f32x4.sub(even, d2), times(d0, 4)));
    v128.store(to + step, f32x4.add(even, odd));
    v128.store(to + 2 * step, f32x4.sub(even, odd));
    v128.store(to + 3 * step, f32x4.add(near, far));
    v128.store(to + 4 * step, f32x4.sub(near, far));
    v128.store(to + 5 * step, f32x4.add(f32x4.sub(times(d1, 4), times(d3, 5)), d5));
  }
}

/** Aᵀm */
@inline
export function transformOutput(
  SIZE: i32,
  m0: v128,
  m1: v128,
  m2: v128,
  m3: v128,
  m4: v128,
  m5: v128,
  to: usize,
  step: usize,
): void {
  const sum1 = f32x4.add(m1, m2);
  const difference1 = f32x4.sub(m1, m2);
  if (SIZE == 2) {
    v128.store(to, f32x4.add(m0, sum1));
    v128.store(to + step, f32x4.add(difference1, m3));
  } else {
    const sum2 = f32x4.add(m3, m4);
    const difference2 = f32x4.sub(m3, m4);
    v128.store(to, f32x4.add(f32x4.add(m0, sum1), sum2));
    v128.store(to + step, f32x4.add(difference1, times(difference2, 2)));
    v128.store(to + 2 * step, f32x4.add(sum1, times(sum2, 4)));
    v128.store(to + 3 * step, f32x4.add(f32x4.add(difference1, times(difference2, 8)), m5));
  }
}

@inline
function scale(v: v128, factor: f32): v128 {
  return f32x4.mul(v, f32x4.splat(factor));
}

/** Gg for four filters at once. */
@inline
export function transformWeights(SIZE: i32, g0: v128, g1: v128, g2: v128, to: usize, step: usize): void {
  const outer = f32x4.add(g0, g2);
  if (SIZE == 2) {
    v128.store(to, g0);
    v128.store(to + step, scale(f32x4.add(outer, g1), 0.5));
    v128.store(to + 2 * step, scale(f32x4.sub(outer, g1), 0.5));
    v128.store(to + 3 * step, g2);
  } else {
    const even = f32x4.add(scale(g0, 1.0 / 24.0), scale(g2, 1.0 / 6.0));
    const odd = scale(g1, 1.0 / 12.0);
    v128.store(to, scale(g0, 0.25));
    v128.store(to + step, scale(f32x4.add(outer, g1), -1.0 / 6.0));
    v128.store(to + 2 * step, scale(f32x4.sub(outer, g1), -1.0 / 6.0));
    v128.store(to + 3 * step, f32x4.add(even, odd));
    v128.store(to + 4 * step, f32x4.sub(even, odd));
    v128.store(to + 5 * step, g2);
  }
}
