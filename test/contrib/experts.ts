import type { ElementType } from '../../src/tensor/element-types.js';
import { type Case, draw } from './case.js';
import { bytes } from './quantized.js';

/** Weights are of at most some 0.1. Cases of QMoE whose floats are of type `type`. */
export function expertCases(seed: number, type: ElementType): readonly Case[] {
  const d = draw(seed);
  return Array.from({ length: 20 }, (_, i): Case => {
    const bits = d.pick([4, 4, 8, 2]);
    const pack = 8 / bits;
    const block = d.chance(0.4) ? 16 : 0;
    const zeros = d.chance(0.4);
    const wide = zeros ? 16 * pack * (bits === 8 ? 2 : 1) : 16;
    const [experts, hidden, inner] = block ? [2, wide, wide] : [d.int(2, 3), i % 4 ? 8 : 12, 16];
    const k = d.int(1, experts);
    const tokens = d.int(1, 3);
    const lead = d.chance(0.4) ? [1, tokens] : [tokens];
    const activation_type = d.pick(['relu', 'gelu', 'silu', 'identity', 'swiglu', 'swiglu']);
    const swiglu_fusion = activation_type === 'swiglu' ? 1 : 0;
    const biased = d.chance(0.5);
    const layer = (rows: number, columns: number) => ({
      weights: bytes(d, 'uint8', [experts, rows, columns / pack]),
      scales: d.floats(
        block ? [experts, rows, columns / block] : [experts, rows],
        0.05 / 2 ** bits,
        0.1 / 2 ** bits,
        type,
      ),
      bias: biased ? d.floats([experts, rows], 0.3, 0, type) : null,
      zeros: zeros
        ? bytes(
            d,
            'uint8',
            block ? [experts, rows, Math.ceil(columns / block / pack)] : [experts, Math.ceil(rows / pack)],
          )
        : null,
    });
    const first = layer(swiglu_fusion ? 2 * inner : inner, hidden);
    const second = layer(hidden, inner);
    const weighted = d.chance(0.3);
    const inputs = [
      d.floats([...lead, hidden], 1, 0, type),
      d.floats([tokens, experts], 1, 0, type),
      ...[first.weights, first.scales, first.bias, second.weights, second.scales, second.bias],
      ...[null, null, null, first.zeros, second.zeros, null],
      ...(weighted ? [d.floats([tokens, experts], 0.4, 0.5, type)] : []),
    ];
    const number = (value: number) => ({ type: 'float', value }) as const;
    return {
      label: `${i}: ${bits} bits, block ${block}, ${tokens} tokens to ${k} of ${experts}, ${activation_type}`,
      attributes: {
        k,
        expert_weight_bits: bits,
        activation_type,
        swiglu_fusion,
        normalize_routing_weights: d.int(0, 1),
        ...(block && { block_size: block }),
        ...(swiglu_fusion && d.chance(0.7) && { activation_alpha: number(1.7), activation_beta: number(1) }),
        ...(swiglu_fusion && d.chance(0.5) && { swiglu_limit: number(1) }),
      },
      inputs,
      constants: i % 2 ? [2, 3, 4, 5, 6, 7, 11, 12].filter((n) => inputs[n]) : [],
    };
  });
}
