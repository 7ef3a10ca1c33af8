/** The machine types that elementwise operations compute in. */
export type Register = 'F32' | 'I32' | 'I64' | 'F64';

/** The elementwise operations; src/primitives/formulas.ts says what each computes. */
export type OpcodeName =
  | 'Copy'
  | 'Add'
  | 'Sub'
  | 'Mul'
  | 'MulAdd'
  | 'Div'
  | 'Pow'
  | 'Mod'
  | 'Fmod'
  | 'Min'
  | 'Max'
  | 'Neg'
  | 'Abs'
  | 'Sign'
  | 'Clip'
  | 'Where'
  | 'Not'
  | 'And'
  | 'Or'
  | 'Xor'
  | 'Equal'
  | 'Less'
  | 'LessOrEqual'
  | 'Greater'
  | 'GreaterOrEqual'
  | 'BitNot'
  | 'BitAnd'
  | 'BitOr'
  | 'BitXor'
  | 'ShiftLeft'
  | 'ShiftRight'
  | 'SignExtend'
  | 'ZeroExtend'
  | 'Reciprocal'
  | 'Sqrt'
  | 'Exp'
  | 'Log'
  | 'Erf'
  | 'Tanh'
  | 'Sigmoid'
  | 'Silu'
  | 'Softplus'
  | 'Softsign'
  | 'LeakyRelu'
  | 'PRelu'
  | 'Elu'
  | 'Selu'
  | 'Celu'
  | 'ThresholdedRelu'
  | 'HardSigmoid'
  | 'HardSwish'
  | 'GeluErf'
  | 'GeluTanh'
  | 'Mish'
  | 'Floor'
  | 'Ceil'
  | 'Round'
  | 'IsNaN'
  | 'IsInf'
  | 'Sin'
  | 'Cos'
  | 'Tan'
  | 'Asin'
  | 'Acos'
  | 'Atan'
  | 'Sinh'
  | 'Cosh'
  | 'Asinh'
  | 'Acosh'
  | 'Atanh';

/** Operations whose two arguments may be swapped. */
export const COMMUTATIVE: readonly OpcodeName[] = [
  'Add',
  'Mul',
  'Min',
  'Max',
  'And',
  'Or',
  'Xor',
  'Equal',
  'BitAnd',
  'BitOr',
  'BitXor',
];

/** `args` are indices of values: the operands and constants, then the results of the instructions in order. */
export interface Instruction {
  readonly op: OpcodeName;
  readonly args: readonly number[];
  readonly alpha?: number | bigint;
  readonly beta?: number | bigint;
}

/**
 * The computation of an elementwise operator: values 0…inputs−1 are its inputs, the constants follow, then each instruction
 * adds one; the last is the result. All of them live in registers of one machine type.
 */
export interface Expression {
  /** @internal */
  readonly register: Register;
  readonly inputs: number;
  readonly constants: readonly number[];
  /** @internal */
  readonly instructions: readonly Instruction[];
}
