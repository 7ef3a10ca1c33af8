import type { Expression, OpcodeName, Register } from '../graph/expression.js';
import type { Inference } from '../schema/definition.js';
import type { ElementType } from '../tensor/element-types.js';

const REGISTERS: Partial<Record<ElementType, Register>> = {
  float32: 'F32',
  float16: 'F32',
  bfloat16: 'F32',
  float64: 'F64',
  bool: 'I32',
  int8: 'I32',
  uint8: 'I32',
  int16: 'I32',
  uint16: 'I32',
  int32: 'I32',
  uint32: 'I64',
  int64: 'I64',
  uint64: 'I64',
};

/** The register type that computes on elements of this type, or undefined if only the JavaScript fallback does. @internal */
export const registerOf = (element: ElementType): Register | undefined => REGISTERS[element];

/** One operation on all inputs in order. @internal */
export function operation(
  register: Register,
  op: OpcodeName,
  inputs: number,
  immediates: { readonly alpha?: number; readonly beta?: number } = {},
): Expression {
  return {
    register,
    inputs,
    constants: [],
    instructions: [{ op, args: Array.from({ length: inputs }, (_, i) => i), ...immediates }],
  };
}

/** Positions of the inputs that are present; an expression numbers them in this order. */
export const givenInputs = (c: Inference<unknown>): number[] =>
  Array.from({ length: c.inputCount }, (_, i) => i).filter((i) => c.given(i));
