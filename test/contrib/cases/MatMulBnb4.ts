import { type Case, draw, type OperatorCases } from '../case.js';
import { eighthBits } from '../n-bit-cases.js';
import { bytes } from '../quantized.js';

const d = draw(27);

/** NF4's numbers in 15 bits: each is off by 2⁻¹⁶, and 256 of them are multiplied by up to 2 · 0.35. */
const IN_UNITS = { relative: 1e-4, absolute: 1e-4 };

const cases = Array.from({ length: 28 }, (_, i): Case => {
  const [K, N] = [d.int(1, 40), d.int(1, 9)];
  const block_size = d.pick([16, 32, 64]);
  const batch = d.pick([[], [2], [2, 3]]);
  const inputs = [
    eighthBits(d, [...batch, d.int(1, 3), K], 'float32'),
    bytes(d, 'uint8', [Math.ceil((N * K) / 2)]),
    d.floats([Math.ceil((N * K) / block_size)], 0.05, 0.2),
  ];
  const quant_type = d.int(0, 1);
  return {
    label: `${i}: [${inputs[0]?.dims}] by ${N}×${K} of type ${quant_type}, block ${block_size}`,
    attributes: { K, N, block_size, quant_type, ...(d.chance(0.3) && { training_mode: 1, transB: 1 }) },
    inputs,
    constants: i % 2 ? [1, 2] : [],
    ...(K % 16 === 0 && { tolerance: IN_UNITS }),
  };
});

/** Columns of whole blocks, or of parts of them, of which codes are multiplied as they are; 16 bits hold the activations. */
const packed = Array.from({ length: 24 }, (_, i): Case => {
  const block_size = d.pick([16, 32, 64, 128]);
  const [K, N] = [d.pick([block_size, 64, 16]) * d.int(1, 4), 2 * d.int(1, 12) + (i % 2)];
  const batch = d.pick([[], [1], [2, 3], [0]]);
  const isVector = d.chance(0.1);
  const type = d.pick(['float32', 'float32', 'float32', 'float16'] as const);
  const inputs = [
    eighthBits(d, isVector ? [K] : [...batch, d.int(1, 9), K], type),
    bytes(d, 'uint8', [(N * K) / 2]),
    d.floats([Math.ceil((N * K) / block_size)], 0.05, 0.2, type),
  ];
  const quant_type = d.int(0, 1);
  return {
    label: `packed ${i}: ${type} [${inputs[0]?.dims}] by ${N}×${K} of type ${quant_type}, block ${block_size}`,
    attributes: { K, N, block_size, quant_type },
    inputs,
    constants: i % 4 ? [1, 2] : [],
    tolerance: type === 'float16' ? { relative: 2 ** -10, absolute: 1e-3 } : IN_UNITS,
  };
});

export const operator: OperatorCases = { op: 'MatMulBnb4', cases: [...cases, ...packed] };
