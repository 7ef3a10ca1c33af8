import { Opcode } from './opcodes';

/** a/b truncated; 0 for b = 0. The lowest integer over −1 wraps instead of trapping. */
@inline
function divide<T>(a: T, b: T): T {
  if (b == -1) return <T>0 - a;
  return b == 0 ? 0 : a / b;
}

@inline
function remainder<T>(a: T, b: T): T {
  return b == 0 || b == -1 ? 0 : a % b;
}

@inline
function modulo<T>(a: T, b: T): T {
  const r = remainder<T>(a, b);
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

/** a^b wrapping around; for b < 0 the truncated real power, 0 unless a is ±1. */
function power<T>(a: T, b: T): T {
  if (b < 0) return a == 1 || (a == -1 && (b & 1) == 0) ? 1 : a == -1 ? -1 : 0;
  let y: T = 1;
  for (; b > 0; b >>= 1, a *= a) if (b & 1) y *= a;
  return y;
}

@inline
function width<T>(): T {
  return <T>(sizeof<T>() * 8);
}

@inline
function shiftLeft<T>(a: T, b: T): T {
  return b >= 0 && b < width<T>() ? a << b : 0;
}

@inline
function shiftRight<T>(a: T, b: T): T {
  return b >= 0 && b < width<T>() ? a >>> b : 0;
}

/** Runs one instruction over a block of integers; the steps between elements are sizeof<T>() or 0. */
export function integers<T>(
  op: i32, y: usize, end: usize, a: usize, sa: usize, b: usize, sb: usize, alpha: T,
): void {
  const size = sizeof<T>();
  switch (op) {
    case Opcode.Div:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, divide<T>(load<T>(a), load<T>(b)));
      return;
    case Opcode.Pow:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, power<T>(load<T>(a), load<T>(b)));
      return;
    case Opcode.Mod:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, modulo<T>(load<T>(a), load<T>(b)));
      return;
    case Opcode.Fmod:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, remainder<T>(load<T>(a), load<T>(b)));
      return;
    case Opcode.BitNot:
      for (; y < end; y += size, a += sa) store<T>(y, ~load<T>(a));
      return;
    case Opcode.BitAnd:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, load<T>(a) & load<T>(b));
      return;
    case Opcode.BitOr:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, load<T>(a) | load<T>(b));
      return;
    case Opcode.BitXor:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, load<T>(a) ^ load<T>(b));
      return;
    case Opcode.ShiftLeft:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, shiftLeft<T>(load<T>(a), load<T>(b)));
      return;
    case Opcode.ShiftRight:
      for (; y < end; y += size, a += sa, b += sb) store<T>(y, shiftRight<T>(load<T>(a), load<T>(b)));
      return;
    case Opcode.SignExtend: {
      const shift = width<T>() - alpha;
      for (; y < end; y += size, a += sa) store<T>(y, (load<T>(a) << shift) >> shift);
      return;
    }
    case Opcode.ZeroExtend: {
      const shift = width<T>() - alpha;
      for (; y < end; y += size, a += sa) store<T>(y, (load<T>(a) << shift) >>> shift);
      return;
    }
  }
}
