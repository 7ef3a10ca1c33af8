import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Random, seeded } from '../inputs.js';
import type { OperatorCase } from './cases.js';

const bytes = (dims: readonly number[], random: Random): Uint8Array =>
  Uint8Array.from({ length: dims.reduce((n, d) => n * d, 1) }, () => 256 * random());

const product = (m: number, k: number, n: number): OperatorCase => ({
  name: `MatMulInteger ${m}×${k}×${n}`,
  op: 'MatMulInteger',
  feeds: [(name, random) => ({ name, type: 'uint8', dims: [m, k], data: bytes([m, k], random) })],
  get constants(): TensorValue[] {
    return [
      { type: 'int8', dims: [k, n], data: new Int8Array(bytes([k, n], seeded(8)).buffer) },
      { type: 'uint8', dims: [], data: Uint8Array.of(131) },
    ];
  },
});

export const integerProducts: readonly OperatorCase[] = [product(128, 512, 512), product(1, 512, 512)];
