import { type Case, draw, type OperatorCases } from '../case.js';
import { bytes } from '../quantized.js';

const d = draw(27);

const cases = Array.from({ length: 28 }, (_, i): Case => {
  const [K, N] = [d.int(1, 40), d.int(1, 9)];
  const block_size = d.pick([16, 32, 64]);
  const batch = d.pick([[], [2], [2, 3]]);
  const inputs = [
    d.floats([...batch, d.int(1, 3), K]),
    bytes(d, 'uint8', [Math.ceil((N * K) / 2)]),
    d.floats([Math.ceil((N * K) / block_size)], 0.2, 1),
  ];
  const quant_type = d.int(0, 1);
  return {
    label: `${i}: [${inputs[0]?.dims}] by ${N}×${K} of type ${quant_type}, block ${block_size}`,
    attributes: { K, N, block_size, quant_type, ...(d.chance(0.3) && { training_mode: 1, transB: 1 }) },
    inputs,
    constants: i % 2 ? [1, 2] : [],
  };
});

export const operator: OperatorCases = { op: 'MatMulBnb4', cases };
