import { draw, type OperatorCases } from '../case.js';
import { caseOf, type Kind } from '../n-bit-cases.js';

const KINDS: readonly Kind[] = [
  { a: [1, 32], n: 8 },
  { a: [3, 64], n: 5, bias: true },
  { a: [2, 3, 48], n: 9, zeros: 'packed' },
  { a: [50], n: 9 },
  { a: [5, 33], n: 16, block: 16, level: 1 },
  { a: [5, 130], n: 2, block: 128, zeros: 'packed', level: 1, bias: true },
  { a: [1, 300], n: 3, block: 256, zeros: 'packed' },
  { a: [4, 64], n: 8, zeros: 'floats' },
  { a: [1, 96], n: 9, zeros: 'floats', bits: 2, bias: true },
  { a: [5, 40], n: 9, bits: 2, zeros: 'packed' },
  { a: [2, 64], n: 8, bits: 2, block: 16 },
  { a: [3, 70], n: 6, bits: 8 },
  { a: [1, 64], n: 12, bits: 8, zeros: 'packed', bias: true },
  { a: [2, 64], n: 6, groups: true },
  { a: [3, 96], n: 5, groups: true, zeros: 'floats', bias: true },
  { a: [2, 64], n: 8, level: 2 },
  { a: [2, 64], n: 8, level: 3, zeros: 'packed' },
  { a: [1, 64], n: 8, level: 4 },
  { a: [4, 70], n: 9, level: 4, zeros: 'packed', bias: true },
  { a: [3, 128], n: 3, level: 4, block: 64 },
  { a: [2, 64], n: 8, level: 4, bits: 8 },
  { a: [2, 64], n: 8, level: 4, bits: 2 },
  { a: [2, 140], n: 3, level: 4, bits: 2, zeros: 'packed', block: 128 },
  { a: [0, 32], n: 8 },
  { a: [2, 0, 32], n: 8, bias: true },
  { a: [2, 64], n: 8, fed: true },
  { a: [2, 70], n: 3, fed: true, zeros: 'packed', bias: true },
  { a: [2, 70], n: 4, fed: true, zeros: 'floats', bits: 2 },
  { a: [2, 70], n: 3, fed: true, groups: true },
];

/**
 * Weights are of at most some 0.1 and activations below 4, rounded to 16 bits by blocks: each of up to 300 products moves by at most
 * 0.1 · 4 / 65534, either way. Those of level 4 are numbers that 8 bits hold.
 */
export const operator: OperatorCases = {
  op: 'MatMulNBits',
  tolerance: { relative: 1e-4, absolute: 1e-4 },
  cases: KINDS.map((kind) => caseOf(draw(13), kind)),
};
