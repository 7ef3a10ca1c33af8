import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Random, seeded } from '../inputs.js';
import type { OperatorCase } from './cases.js';

interface Product {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly bits?: number;
  readonly level?: number;
}

const BLOCK = 32;

function tensorOf(type: 'uint8' | 'float32', dims: readonly number[], next: () => number): TensorValue {
  const data = new (type === 'uint8' ? Uint8Array : Float32Array)(dims.reduce((a, b) => a * b, 1));
  for (let i = 0; i < data.length; i++) data[i] = next();
  return { type, dims, data };
}

/** Activations that 8 bits represent exactly, in each block: all levels and all runtimes agree. */
const eighthBits = (count: number, random: Random) =>
  Float32Array.from({ length: count }, (_, i) => (i % 8 === 0 ? 127 : Math.floor(255 * random()) - 127) / 64);

/** A product with K·N codes in blocks of 32, as in language models. */
function product({ m, k, n, bits = 4, level = 0 }: Product): OperatorCase {
  return {
    name: `MatMulNBits ${m}×${k}×${n} of ${bits} bits at level ${level}`,
    op: 'MatMulNBits',
    domain: 'com.microsoft',
    feeds: [(name, random) => ({ name, type: 'float32', dims: [m, k], data: eighthBits(m * k, random) })],
    get constants() {
      const random = seeded(bits);
      return [
        tensorOf('uint8', [n, k / BLOCK, (BLOCK * bits) / 8], () => 256 * random()),
        tensorOf('float32', [n, k / BLOCK], () => (0.01 * (0.5 + random())) / 2 ** (bits - 4)),
      ];
    },
    attributes: { K: k, N: n, bits, block_size: BLOCK, accuracy_level: level },
  };
}

export const nBitProducts: readonly OperatorCase[] = [
  product({ m: 1, k: 4096, n: 4096 }),
  product({ m: 1, k: 4096, n: 4096, level: 4 }),
  product({ m: 1, k: 4096, n: 4096, bits: 8 }),
  product({ m: 1, k: 576, n: 1536 }),
  product({ m: 32, k: 4096, n: 4096 }),
  product({ m: 32, k: 4096, n: 4096, level: 4 }),
];
