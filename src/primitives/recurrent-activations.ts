import type { Inference } from '../schema/definition.js';

/** The activations that a gate may have, with their parameters and defaults. */
const ACTIVATIONS = {
  Sigmoid: {},
  Tanh: {},
  Relu: {},
  Affine: { alpha: 1, beta: 0 },
  LeakyRelu: { alpha: 0.01 },
  ThresholdedRelu: { alpha: 1 },
  ScaledTanh: { alpha: 1, beta: 1 },
  HardSigmoid: { alpha: 0.2, beta: 0.5 },
  Elu: { alpha: 1 },
  Softsign: {},
  Softplus: {},
} as const;

export type GateActivationName = keyof typeof ACTIVATIONS;

export interface GateActivation {
  readonly name: GateActivationName;
  readonly alpha: number;
  readonly beta: number;
}

const NAMES = Object.keys(ACTIVATIONS) as GateActivationName[];

const BY_LOWER_CASE = new Map(NAMES.map((name) => [name.toLowerCase(), name]));

export interface ActivationAttributes {
  readonly activations: readonly string[] | undefined;
  readonly activation_alpha: readonly number[] | undefined;
  readonly activation_beta: readonly number[] | undefined;
}

/**
 * The activations of each direction. Lists of alpha and beta hold an entry for each activation that has such a parameter, in order. Names
 * are compared without case, because exporters differ. More activations than needed are allowed, as in the default of RNN.
 */
export function activationsOf(
  c: Inference<ActivationAttributes>,
  directions: number,
  defaults: readonly GateActivationName[],
): GateActivation[][] {
  const { activations, activation_alpha = [], activation_beta = [] } = c.attributes;
  const names = activations?.length ? activations : Array.from({ length: directions }, () => defaults).flat();
  if (names.length < directions * defaults.length) {
    c.fail(
      'INVALID_ATTRIBUTE',
      `activations [${names}] must be ${defaults.length} for each of ${directions} directions`,
    );
  }
  const alphas = [...activation_alpha];
  const betas = [...activation_beta];
  const all = names.map((given): GateActivation => {
    const name = BY_LOWER_CASE.get(given.toLowerCase());
    if (!name) {
      return c.fail('INVALID_ATTRIBUTE', `activation "${given}" is none of ${NAMES.join(', ')}`);
    }
    const parameters: { readonly alpha?: number; readonly beta?: number } = ACTIVATIONS[name];
    const alpha = parameters.alpha !== undefined ? (alphas.shift() ?? parameters.alpha) : 0;
    const beta = parameters.beta !== undefined ? (betas.shift() ?? parameters.beta) : 0;
    return { name, alpha, beta };
  });
  return Array.from({ length: directions }, (_, d) => all.slice(d * defaults.length, (d + 1) * defaults.length));
}
