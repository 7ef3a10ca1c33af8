import { Opcode } from './opcodes';

/** x^½ as pow defines it: +0 for −0 and +∞ for −∞, where sqrt gives −0 and NaN. */
@inline
function squareRootPower<T>(x: v128): v128 {
  const root = v128.sqrt<T>(v128.add<T>(x, v128.splat<T>(0)));
  const infinity = v128.splat<T>(<T>Infinity);
  return v128.bitselect(infinity, root, v128.eq<T>(x, v128.neg<T>(infinity)));
}

@inline
function isInf<T>(x: v128, positive: bool, negative: bool): v128 {
  const infinity = v128.splat<T>(<T>Infinity);
  const one = v128.splat<T>(1);
  const above = v128.and(v128.eq<T>(x, infinity), positive ? one : v128.splat<T>(0));
  const below = v128.and(v128.eq<T>(x, v128.neg<T>(infinity)), negative ? one : v128.splat<T>(0));
  return v128.or(above, below);
}

/** Powers with one exponent for the whole block that has a short cut; returns false if it has none. */
function powerShortCut<T>(y: usize, end: usize, a: usize, sa: usize, exponent: T): bool {
  if (exponent == 2) {
    for (; y < end; y += 16, a += sa) v128.store(y, v128.mul<T>(v128.load(a), v128.load(a)));
  } else if (exponent == 3) {
    for (; y < end; y += 16, a += sa) {
      const x = v128.load(a);
      v128.store(y, v128.mul<T>(v128.mul<T>(x, x), x));
    }
  } else if (exponent == 0.5) {
    for (; y < end; y += 16, a += sa) v128.store(y, squareRootPower<T>(v128.load(a)));
  } else if (exponent == -0.5) {
    for (; y < end; y += 16, a += sa) v128.store(y, v128.div<T>(v128.splat<T>(1), squareRootPower<T>(v128.load(a))));
  } else if (exponent == 4) {
    for (; y < end; y += 16, a += sa) {
      const square = v128.mul<T>(v128.load(a), v128.load(a));
      v128.store(y, v128.mul<T>(square, square));
    }
  } else if (exponent == 1) {
    for (; y < end; y += 16, a += sa) v128.store(y, v128.load(a));
  } else if (exponent == -1) {
    for (; y < end; y += 16, a += sa) v128.store(y, v128.div<T>(v128.splat<T>(1), v128.load(a)));
  } else return false;
  return true;
}

/** Runs one instruction over a block, for operations that f32 and f64 have in SIMD; false for any other `op`. */
export function floats<T>(
  op: i32, y: usize, end: usize, a: usize, sa: usize, b: usize, sb: usize, alpha: T, beta: T,
): bool {
  const one = v128.splat<T>(1);
  const zero = v128.splat<T>(0);
  switch (op) {
    case Opcode.Div:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, v128.div<T>(v128.load(a), v128.load(b)));
      return true;
    case Opcode.Pow:
      return sb == 0 && powerShortCut<T>(y, end, a, sa, load<T>(b));
    case Opcode.Reciprocal:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.div<T>(one, v128.load(a)));
      return true;
    case Opcode.Sqrt:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.sqrt<T>(v128.load(a)));
      return true;
    case Opcode.Floor:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.floor<T>(v128.load(a)));
      return true;
    case Opcode.Ceil:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.ceil<T>(v128.load(a)));
      return true;
    case Opcode.Round:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.nearest<T>(v128.load(a)));
      return true;
    case Opcode.IsNaN:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.and(v128.ne<T>(v128.load(a), v128.load(a)), one));
      return true;
    case Opcode.IsInf:
      for (; y < end; y += 16, a += sa) v128.store(y, isInf<T>(v128.load(a), alpha != 0, beta != 0));
      return true;
    case Opcode.Softsign:
      for (; y < end; y += 16, a += sa) {
        const x = v128.load(a);
        v128.store(y, v128.div<T>(x, v128.add<T>(one, v128.abs<T>(x))));
      }
      return true;
    case Opcode.LeakyRelu:
      for (; y < end; y += 16, a += sa) {
        const x = v128.load(a);
        v128.store(y, v128.bitselect(v128.mul<T>(x, v128.splat<T>(alpha)), x, v128.lt<T>(x, zero)));
      }
      return true;
    case Opcode.PRelu:
      for (; y < end; y += 16, a += sa, b += sb) {
        const x = v128.load(a);
        v128.store(y, v128.bitselect(v128.mul<T>(x, v128.load(b)), x, v128.lt<T>(x, zero)));
      }
      return true;
    case Opcode.ThresholdedRelu:
      for (; y < end; y += 16, a += sa) {
        const x = v128.load(a);
        v128.store(y, v128.and(x, v128.gt<T>(x, v128.splat<T>(alpha))));
      }
      return true;
  }
  return false;
}
