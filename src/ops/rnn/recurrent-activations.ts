import { RecurrentActivation } from '../../../build/kernels.js';
import type { Inference } from '../definition.js';

type Name = keyof typeof RecurrentActivation;

/** One activation as kernels take it. */
export interface GateActivation {
  readonly kind: number;
  readonly alpha: number;
  readonly beta: number;
}

/** The parameters that an activation has, with their defaults. */
const PARAMETERS: Partial<Record<Name, { readonly alpha: number; readonly beta?: number }>> = {
  Affine: { alpha: 1, beta: 0 },
  LeakyRelu: { alpha: 0.01 },
  ThresholdedRelu: { alpha: 1 },
  ScaledTanh: { alpha: 1, beta: 1 },
  HardSigmoid: { alpha: 0.2, beta: 0.5 },
  Elu: { alpha: 1 },
};

export const ACTIVATION_NAMES: ReadonlyMap<number, Name> = new Map(
  (Object.keys(RecurrentActivation) as Name[]).map((name) => [RecurrentActivation[name], name]),
);

const BY_LOWER_CASE = new Map((Object.keys(RecurrentActivation) as Name[]).map((name) => [name.toLowerCase(), name]));

export interface ActivationAttributes {
  readonly activations: readonly string[] | undefined;
  readonly activation_alpha: readonly number[] | undefined;
  readonly activation_beta: readonly number[] | undefined;
}

/**
 * The activations of every direction. Lists of alpha and beta hold an entry for each activation that has such a
 * parameter, in order; names are compared without case, as exporters write them both ways; more than needed are allowed,
 * being the default of RNN.
 */
export function activationsOf(
  c: Inference<ActivationAttributes>,
  directions: number,
  defaults: readonly Name[],
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
      return c.fail('INVALID_ATTRIBUTE', `activation "${given}" is none of ${[...BY_LOWER_CASE.values()].join(', ')}`);
    }
    const parameters = PARAMETERS[name];
    const alpha = parameters ? (alphas.shift() ?? parameters.alpha) : 0;
    const beta = parameters?.beta !== undefined ? (betas.shift() ?? parameters.beta) : 0;
    return { kind: RecurrentActivation[name], alpha, beta };
  });
  return Array.from({ length: directions }, (_, d) => all.slice(d * defaults.length, (d + 1) * defaults.length));
}
