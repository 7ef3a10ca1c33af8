import type { AttributeInputs } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, pick } = draw(13);

const real = (value: number) => ({ type: 'float', value }) as const;

const ACTIVATIONS: readonly AttributeInputs[] = [
  { activation: 'Relu' },
  { activation: 'Tanh' },
  { activation: 'Sigmoid' },
  { activation: 'Softplus' },
  { activation: 'Softsign' },
  { activation: 'LeakyRelu', activation_alpha: real(0.2) },
  { activation: 'ThresholdedRelu', activation_alpha: real(0.3) },
  { activation: 'Elu', activation_alpha: real(0.7) },
  { activation: 'HardSigmoid', activation_alpha: real(0.3), activation_beta: real(0.4) },
  { activation: 'Selu', activation_alpha: real(1.6), activation_gamma: real(1.1) },
  { activation: 'ScaledTanh', activation_alpha: real(1.5), activation_beta: real(0.6) },
  { activation: 'ParametricSoftplus', activation_alpha: real(1.5), activation_beta: real(0.6) },
];

const cases = Array.from({ length: 26 }, (_, i): Case => {
  const [m, k, n] = [int(1, 7), int(1, 9), int(1, 10)];
  const [transA, transB] = [int(0, 1), int(0, 1)];
  const activation = ACTIVATIONS[i % ACTIVATIONS.length] ?? {};
  const c = pick([[], [n], [m, 1], [m, n], [1, n]]);
  return {
    label: `${activation.activation} ${[m, k, n]} + [${c}]`,
    inputs: [floats(transA ? [k, m] : [m, k]), floats(transB ? [n, k] : [k, n]), ...(i % 4 === 3 ? [] : [floats(c)])],
    attributes: {
      ...activation,
      transA,
      transB,
      ...(i % 2 && { alpha: real(0.5), beta: real(1.5) }),
    },
    constants: [[], [1], [1, 2]][i % 3] ?? [],
  };
});

export const operator: OperatorCases = { op: 'FusedGemm', cases };
