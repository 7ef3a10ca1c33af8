/**
 * Running sums along the middle axis of x [outer, length, inner] into y of the same shape. f32 is summed in f64.
 * A tile is `grain` consecutive lines of the outer · inner; tiles = ceil(outer · inner / grain). y may be x.
 */
@unmanaged
export class CumSumParams {
  x: usize = 0;
  y: usize = 0;
  outer: i32 = 0;
  length: i32 = 0;
  inner: i32 = 0;
  /** 1: element i holds the sum of those before it */
  exclusive: i32 = 0;
  /** 1: from the last element to the first */
  reverse: i32 = 0;
  grain: i32 = 0;
}

@inline
function cumSumOf<T, Total>(p: CumSumParams, begin: i32, end: i32): void {
  const stride = <usize>p.inner * sizeof<T>();
  const step: usize = p.reverse ? <usize>0 - stride : stride;
  const last = min(end * p.grain, p.outer * p.inner);
  for (let i = begin * p.grain; i < last; i++) {
    let at = <usize>(i / p.inner) * p.length * stride + <usize>(i % p.inner) * sizeof<T>();
    if (p.reverse) at += <usize>(p.length - 1) * stride;
    let sum: Total = 0;
    for (let j = p.length; j; j--, at += step) {
      const before = sum;
      sum += <Total>load<T>(p.x + at);
      store<T>(p.y + at, <T>(p.exclusive ? before : sum));
    }
  }
}

export function cumSum(p: CumSumParams, begin: i32, end: i32): void {
  cumSumOf<f32, f64>(p, begin, end);
}

export function cumSumI32(p: CumSumParams, begin: i32, end: i32): void {
  cumSumOf<i32, i32>(p, begin, end);
}

export function cumSumI64(p: CumSumParams, begin: i32, end: i32): void {
  cumSumOf<i64, i64>(p, begin, end);
}
