import type { Pointer } from '../../../../bindings/place.js';
import { Activation } from '../../../../build/kernels.js';
import type { ActivationName, EpilogueAttributes } from '../../../ops/epilogue.js';
import type { Lowering } from '../lowering.js';

/** The epilogue fields of a parameter block; inputs `bias` and `residual` may be left out. */
export function epilogueOf(c: Lowering<EpilogueAttributes>, bias: number, residual: number) {
  const { activation, activation_alpha, activation_beta } = c.attributes;
  const pointer = (i: number): Pointer => (c.given(i) ? c.input(i) : 0);
  return {
    bias: pointer(bias),
    residual: pointer(residual),
    activation: Activation[activation as ActivationName],
    alpha: activation_alpha,
    beta: activation_beta,
  };
}
