import type { Pointer } from '../../../../bindings/place.js';
import { Activation } from '../../../../build/kernels.js';
import type { ActivationName, EpilogueAttributes } from '../../../primitives/epilogue.js';
import type { Lowering } from '../lowering.js';

/** The epilogue fields of a parameter block; bias and residual (operands 2 and 3) are optional. */
export function epilogueOf(
  c: Lowering,
  { activation, activation_alpha, activation_beta }: EpilogueAttributes,
  bias = 2,
  residual = 3,
) {
  const pointer = (i: number): Pointer => (c.given(i) ? c.input(i) : 0);
  return {
    bias: pointer(bias),
    residual: pointer(residual),
    activation: Activation[activation as ActivationName],
    alpha: activation_alpha,
    beta: activation_beta,
  };
}
