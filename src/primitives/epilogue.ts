import type { OpcodeName } from '../graph/expression.js';
import type { Size } from '../graph/sizes.js';
import { float, string } from '../schema/attributes.js';
import type { Evaluation, Inference } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { FORMULAS } from './formulas.js';

/** Activations after the sums, by their names in expressions. */
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

/** Attributes of the activation that a matrix product or convolution of domain `sardonyx` applies after bias and residual. */
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

/** Picks the epilogue's attributes from all attributes of an operator. */
export const epilogueIn = ({
  activation,
  activation_alpha,
  activation_beta,
}: EpilogueAttributes): EpilogueAttributes => ({
  activation,
  activation_alpha,
  activation_beta,
});

const [BIAS, RESIDUAL] = [2, 3];

/** Checks that the bias has one number per channel of the last axis, and that the residual has the result's dims. */
export function requireEpilogue(
  c: Inference<unknown>,
  channels: Size | undefined,
  dims: readonly Size[] | undefined,
): void {
  requireDims(c, BIAS, [channels]);
  if (dims) requireDims(c, RESIDUAL, dims);
}

/** Adds bias and residual to channels-last sums, applies the activation and converts to the result's type. */
export function finished(c: Evaluation<unknown>, sums: Float64Array, epilogue: EpilogueAttributes): TensorValue {
  const { element, dims } = c.result(0);
  const bias = c.given(BIAS) ? numbersOf(c.tensor(BIAS)) : undefined;
  const residual = c.given(RESIDUAL) ? numbersOf(c.tensor(RESIDUAL)) : undefined;
  const activate = activationOf(epilogue);
  const results = sums.map((sum, i) =>
    activate(sum + Number(bias?.[i % bias.length] ?? 0) + Number(residual?.[i] ?? 0)),
  );
  return tensorOf(element, dims, results);
}

export function activationOf({
  activation,
  activation_alpha,
  activation_beta,
}: EpilogueAttributes): (x: number) => number {
  if (activation === 'None') return (x) => x;
  const formula = FORMULAS[activation as OpcodeName];
  return (x) => formula(x, x, x, activation_alpha, activation_beta);
}
