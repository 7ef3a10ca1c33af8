import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, chance } = draw(61);

const ACTIVATIONS = ['relu', 'gelu', 'silu', 'identity', 'swiglu'];
const real = (value: number) => ({ type: 'float', value }) as const;

const cases = Array.from({ length: 25 }, (_, i): Case => {
  const activation_type = ACTIVATIONS[i % ACTIVATIONS.length] ?? 'relu';
  const isGated = activation_type === 'swiglu';
  const [tokens, experts, hidden, inter] = [i % 4 === 3 ? 1 : int(2, 5), int(2, 5), int(2, 6), int(1, 5)];
  const k = int(1, Math.min(3, experts));
  const first = inter * (isGated ? 2 : 1);
  const [withBias1, withBias2] = [chance(0.6), chance(0.6)];
  return {
    label: `${activation_type} ${[tokens, experts, hidden, inter]} k ${k}`,
    inputs: [
      floats(i % 3 === 2 ? [1, tokens, hidden] : [tokens, hidden]),
      floats([tokens, experts]),
      floats([experts, first, hidden]),
      withBias1 ? floats([experts, first]) : null,
      floats([experts, hidden, inter]),
      withBias2 ? floats([experts, hidden]) : null,
    ],
    attributes: {
      activation_type,
      k,
      ...(i % 2 && { normalize_routing_weights: 1 }),
      ...(isGated && { swiglu_fusion: 1 }),
      ...(isGated && i % 2 && { activation_alpha: real(1.702), activation_beta: real(1) }),
      ...(isGated && i % 3 === 0 && { swiglu_limit: real(0.7) }),
    },
    constants: i % 2 ? [2, 3, 4, 5] : [],
  };
});

export const operator: OperatorCases = { op: 'MoE', cases };
