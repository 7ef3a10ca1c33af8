import { float } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, floats, int, pick } = draw(51);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const rule = (['linear', 'gated', 'delta', 'gated_delta'] as const)[i % 4] as string;
  const [batch, length, shared, keySize, valueSize] = [int(1, 2), int(1, 4), int(1, 2), pick([2, 4]), pick([2, 3, 4])];
  const heads = shared * int(1, 2);
  const decays = rule.startsWith('gated');
  const corrects = rule.endsWith('delta');
  const inputs = [
    floats([batch, length, heads * keySize]),
    floats([batch, length, shared * keySize], 0.5),
    floats([batch, length, shared * valueSize]),
    chance(0.5) ? floats([batch, shared, keySize, valueSize]) : null,
    decays ? floats([batch, length, pick([shared, shared * keySize])], 0.3, -0.5) : null,
    corrects ? floats([batch, length, pick([shared, 1])], 0.2, 0.5) : null,
  ];
  return {
    label: `${i}: ${rule}, ${batch} × ${length}, ${heads} heads over ${shared} of ${keySize} and ${valueSize}`,
    attributes: {
      q_num_heads: heads,
      kv_num_heads: shared,
      ...(rule !== 'gated_delta' && { update_rule: rule }),
      ...(chance(0.3) && { scale: float(0.7) }),
      ...(chance(0.2) && { chunk_size: 2 }),
    },
    inputs: inputs.slice(0, inputs.findLastIndex((input) => input) + 1),
    outputs: [0, 1],
  };
});

export const operator: OperatorCases = { op: 'LinearAttention', cases };
