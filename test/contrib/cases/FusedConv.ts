import type { AttributeInputs } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, pick } = draw(14);

const reals = (...value: number[]) => ({ type: 'floats', value }) as const;

const ACTIVATIONS: readonly AttributeInputs[] = [
  {},
  { activation: 'Relu' },
  { activation: 'Tanh' },
  { activation: 'Sigmoid' },
  { activation: 'LeakyRelu', activation_params: reals(0.2) },
  { activation: 'Clip', activation_params: reals(-0.5, 1) },
  { activation: 'HardSigmoid', activation_params: reals(0.3, 0.4) },
];

const cases = Array.from({ length: 28 }, (_, i): Case => {
  const rank = i % 9 === 8 ? 1 : 2;
  const group = pick([1, 1, 2]);
  const [n, c, m] = [int(1, 2), group * int(1, 3), group * int(1, 4)];
  const kernel = Array.from({ length: rank }, () => int(1, 3));
  const sizes = kernel.map(() => int(5, 7));
  const padding = pick([0, 1]);
  const [strides, dilations] = [kernel.map(() => int(1, 2)), kernel.map(() => (padding ? 1 : int(1, 2)))];
  const [before, after] = [kernel.map(() => padding), kernel.map(() => int(0, padding))];
  const out = sizes.map((size, axis) => {
    const reach = ((kernel[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
    return Math.floor((size + (before[axis] ?? 0) + (after[axis] ?? 0) - reach) / (strides[axis] ?? 1)) + 1;
  });
  const activation = ACTIVATIONS[i % ACTIVATIONS.length] ?? {};
  const all = [floats([n, c, ...sizes]), floats([m, c / group, ...kernel]), floats([m]), floats([n, m, ...out])];
  return {
    label: `${activation.activation} [${[n, c, ...sizes]}] by [${[m, c / group, ...kernel]}]`,
    inputs: [all.slice(0, 2), all.slice(0, 3), all, [...all.slice(0, 2), null, ...all.slice(3)]][i % 4] ?? all,
    attributes: {
      ...activation,
      kernel_shape: kernel,
      group,
      ...(i % 5 === 0
        ? { auto_pad: 'VALID', dilations, strides }
        : { strides, dilations, pads: [...before, ...after] }),
    },
    constants: i % 2 ? [1, 2] : [1],
  };
}).filter(({ attributes, inputs }) => !('auto_pad' in (attributes ?? {}) && inputs.length > 3));

export const operator: OperatorCases = { op: 'FusedConv', cases };
