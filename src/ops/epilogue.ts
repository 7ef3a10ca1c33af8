import type { Pointer } from '../../bindings/parameters.js';
import { Activation } from '../../build/kernels.js';
import type { Lowering } from '../backends/wasm/lowering.js';
import type { Dim } from '../graph/types.js';
import { float, string } from './attributes.js';
import type { Inference } from './definition.js';
import { requireDims } from './shapes.js';

export type ActivationName = keyof typeof Activation;

/** What a matrix product or a convolution of domain `sardonyx` does to its sums besides bias and residual. */
export const epilogueAttributes = {
  activation: string('None'),
  activation_alpha: float(0),
  activation_beta: float(0),
};

export interface EpilogueAttributes {
  readonly activation: string;
  readonly activation_alpha: number;
  readonly activation_beta: number;
}

const [BIAS, RESIDUAL] = [2, 3];

/** Checks that the bias has one number for each of the last axis' `channels`, and that the residual is of the result's dims. */
export function requireEpilogue(
  c: Inference<unknown>,
  channels: Dim | undefined,
  dims: readonly Dim[] | undefined,
): void {
  requireDims(c, BIAS, [channels]);
  if (dims) requireDims(c, RESIDUAL, dims);
}

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
