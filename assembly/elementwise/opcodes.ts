/**
 * Operations of an elementwise program on values a, b, c; alpha and beta are constants of the instruction.
 * Booleans are 1 and 0; any value but 0 counts as true. Specified by the ONNX operator of the same name.
 */
export enum Opcode {
  // Any register type
  Copy,
  Add,
  Sub,
  Mul,
  /** a·b + c */
  MulAdd,
  /** Integers truncate; x/0 is 0. */
  Div,
  Pow,
  /** Remainder with the sign of b; integer x mod 0 is 0. */
  Mod,
  /** Remainder with the sign of a; integer x mod 0 is 0. */
  Fmod,
  Min,
  Max,
  Neg,
  Abs,
  Sign,
  /** min(max(a, alpha), beta); Relu is Clip(0, +∞). */
  Clip,
  /** a ? b : c */
  Where,
  Not,
  And,
  Or,
  Xor,
  Equal,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  // Integers only
  BitNot,
  BitAnd,
  BitOr,
  BitXor,
  /** 0 unless b is below the register's width. */
  ShiftLeft,
  /** Logical; 0 unless b is below the register's width. */
  ShiftRight,
  /** Keeps the low alpha bits of a, as a signed number: the result of storing to int8, int16 or int32. */
  SignExtend,
  /** Keeps the low alpha bits of a, as an unsigned number. */
  ZeroExtend,
  // Floats only
  Reciprocal,
  Sqrt,
  Exp,
  Log,
  Erf,
  Tanh,
  Sigmoid,
  Silu,
  Softplus,
  Softsign,
  /** a < 0 ? alpha·a : a */
  LeakyRelu,
  /** a < 0 ? b·a : a */
  PRelu,
  Elu,
  /** beta·(a > 0 ? a : alpha·(e^a − 1)) */
  Selu,
  Celu,
  /** a > alpha ? a : 0 */
  ThresholdedRelu,
  /** min(max(alpha·a + beta, 0), 1) */
  HardSigmoid,
  HardSwish,
  GeluErf,
  GeluTanh,
  Mish,
  Floor,
  Ceil,
  /** To nearest, halves to even. */
  Round,
  IsNaN,
  /** +∞ if alpha ≠ 0, −∞ if beta ≠ 0. */
  IsInf,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Asinh,
  Acosh,
  Atanh,
}
