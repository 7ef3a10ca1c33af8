import { ONE, splat32 } from './constants';
import { expNonPositive } from './exp';

/** 1/(1+e^−x) within 3 ULP, always in 0…1; 0 below −87.3; NaN stays. */
@inline
export function sigmoid(x: v128): v128 {
  const one = splat32(ONE);
  const e = expNonPositive(f32x4.neg(f32x4.abs(x)));
  const numerator = v128.bitselect(e, one, f32x4.lt(x, f32x4.splat(0)));
  return f32x4.div(numerator, f32x4.add(one, e));
}
