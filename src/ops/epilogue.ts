import type { Dim } from '../graph/types.js';
import { float, string } from '../schema/attributes.js';
import type { Inference } from '../schema/definition.js';
import { requireDims } from './shapes.js';

/** What follows the sums, by the names that expressions know. */
export type ActivationName =
  | 'None'
  | 'Clip'
  | 'LeakyRelu'
  | 'Sigmoid'
  | 'Silu'
  | 'HardSwish'
  | 'HardSigmoid'
  | 'GeluErf'
  | 'GeluTanh'
  | 'Tanh';

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
