import { madd } from '../math/madd';
import { Opcode } from './opcodes';

@inline
function one<T>(mask: v128): v128 {
  return v128.and(mask, v128.splat<T>(<T>1));
}

@inline
function truth<T>(x: v128): v128 {
  return v128.ne<T>(x, v128.splat<T>(<T>0));
}

@inline
function negative<T>(x: v128): v128 {
  return v128.lt<T>(x, v128.splat<T>(<T>0));
}

@inline
function positive<T>(x: v128): v128 {
  return v128.gt<T>(x, v128.splat<T>(<T>0));
}

@inline
function smaller<T>(a: v128, b: v128): v128 {
  if (sizeof<T>() == 8 && isInteger<T>()) return v128.bitselect(a, b, v128.lt<T>(a, b));
  return v128.min<T>(a, b);
}

@inline
function larger<T>(a: v128, b: v128): v128 {
  if (sizeof<T>() == 8 && isInteger<T>()) return v128.bitselect(a, b, v128.gt<T>(a, b));
  return v128.max<T>(a, b);
}

/** Clamps x to low…high; NaN stays because of the operand order of pmax and pmin. */
@inline
function limited<T>(x: v128, low: v128, high: v128): v128 {
  if (isFloat<T>()) return v128.pmin<T>(v128.pmax<T>(x, low), high);
  return smaller<T>(larger<T>(x, low), high);
}

@inline
function multiplyAdd<T>(a: v128, b: v128, c: v128): v128 {
  if (isFloat<T>() && sizeof<T>() == 4) return madd(a, b, c);
  return v128.add<T>(v128.mul<T>(a, b), c);
}

/** The sign of x as −1, 0 or 1; NaN stays. */
@inline
function sign<T>(x: v128): v128 {
  const s = v128.sub<T>(one<T>(positive<T>(x)), one<T>(negative<T>(x)));
  if (isInteger<T>()) return s;
  return v128.bitselect(s, x, v128.eq<T>(x, x));
}

/**
 * Runs one instruction over a block, for operations that every register type has in SIMD; false for any other `op`. y…end is a whole number
 * of vectors; sa, sb, sc are 16, or 0 for an operand that is one repeated vector.
 */
export function arithmetic<T>(
  op: i32, y: usize, end: usize, a: usize, sa: usize, b: usize, sb: usize, c: usize, sc: usize, alpha: T, beta: T,
): bool {
  switch (op) {
    case Opcode.Copy:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.load(a));
      return true;
    case Opcode.Add:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, v128.add<T>(v128.load(a), v128.load(b)));
      return true;
    case Opcode.Sub:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, v128.sub<T>(v128.load(a), v128.load(b)));
      return true;
    case Opcode.Mul:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, v128.mul<T>(v128.load(a), v128.load(b)));
      return true;
    case Opcode.MulAdd:
      for (; y < end; y += 16, a += sa, b += sb, c += sc)
        v128.store(y, multiplyAdd<T>(v128.load(a), v128.load(b), v128.load(c)));
      return true;
    case Opcode.Min:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, smaller<T>(v128.load(a), v128.load(b)));
      return true;
    case Opcode.Max:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, larger<T>(v128.load(a), v128.load(b)));
      return true;
    case Opcode.Neg:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.neg<T>(v128.load(a)));
      return true;
    case Opcode.Abs:
      for (; y < end; y += 16, a += sa) v128.store(y, v128.abs<T>(v128.load(a)));
      return true;
    case Opcode.Sign:
      for (; y < end; y += 16, a += sa) v128.store(y, sign<T>(v128.load(a)));
      return true;
    case Opcode.Clip: {
      const low = v128.splat<T>(alpha);
      const high = v128.splat<T>(beta);
      for (; y < end; y += 16, a += sa) v128.store(y, limited<T>(v128.load(a), low, high));
      return true;
    }
    case Opcode.Where:
      for (; y < end; y += 16, a += sa, b += sb, c += sc)
        v128.store(y, v128.bitselect(v128.load(b), v128.load(c), truth<T>(v128.load(a))));
      return true;
    case Opcode.Not:
      for (; y < end; y += 16, a += sa) v128.store(y, one<T>(v128.not(truth<T>(v128.load(a)))));
      return true;
    case Opcode.And:
      for (; y < end; y += 16, a += sa, b += sb)
        v128.store(y, one<T>(v128.and(truth<T>(v128.load(a)), truth<T>(v128.load(b)))));
      return true;
    case Opcode.Or:
      for (; y < end; y += 16, a += sa, b += sb)
        v128.store(y, one<T>(v128.or(truth<T>(v128.load(a)), truth<T>(v128.load(b)))));
      return true;
    case Opcode.Xor:
      for (; y < end; y += 16, a += sa, b += sb)
        v128.store(y, one<T>(v128.xor(truth<T>(v128.load(a)), truth<T>(v128.load(b)))));
      return true;
    case Opcode.Equal:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, one<T>(v128.eq<T>(v128.load(a), v128.load(b))));
      return true;
    case Opcode.Less:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, one<T>(v128.lt<T>(v128.load(a), v128.load(b))));
      return true;
    case Opcode.LessOrEqual:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, one<T>(v128.le<T>(v128.load(a), v128.load(b))));
      return true;
    case Opcode.Greater:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, one<T>(v128.gt<T>(v128.load(a), v128.load(b))));
      return true;
    case Opcode.GreaterOrEqual:
      for (; y < end; y += 16, a += sa, b += sb) v128.store(y, one<T>(v128.ge<T>(v128.load(a), v128.load(b))));
      return true;
  }
  return false;
}
