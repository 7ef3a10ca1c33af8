import { draw, type OperatorCases } from '../case.js';
import { caseOf, type Kind } from '../n-bit-cases.js';

const KINDS: readonly Omit<Kind, 'type'>[] = [
  { a: [1, 32], n: 8 },
  { a: [3, 64], n: 5, bias: true },
  { a: [2, 3, 48], n: 9, zeros: 'packed' },
  { a: [50], n: 9, zeros: 'floats' },
  { a: [5, 33], n: 16, block: 16, level: 1 },
  { a: [6, 130], n: 3, block: 128, zeros: 'packed', level: 1, bias: true },
  { a: [1, 300], n: 3, block: 256, zeros: 'packed' },
  { a: [4, 64], n: 8, level: 2 },
  { a: [4, 64], n: 8, level: 3, zeros: 'packed' },
  { a: [1, 96], n: 4, zeros: 'floats', bias: true },
  { a: [2, 70], n: 8, bits: 8, block: 16 },
  { a: [1, 64], n: 8, bits: 8, zeros: 'packed', bias: true },
  { a: [2, 64], n: 8, level: 4 },
  { a: [4, 70], n: 9, level: 4, zeros: 'packed', bias: true },
  { a: [2, 64], n: 8, level: 4, bits: 8 },
  { a: [2, 64], n: 6, groups: true },
  { a: [0, 32], n: 8 },
  { a: [2, 64], n: 8, fed: true },
  { a: [2, 70], n: 8, fed: true, zeros: 'packed', bias: true },
  { a: [2, 40], n: 8, fed: true, zeros: 'floats' },
  { a: [2, 40], n: 8, bits: 2 },
  { a: [2, 40], n: 8, bits: 2, zeros: 'packed' },
];

/** As in MatMulNBits.ts; results are rounded to halves, of 11 bits, here and there. */
export const operator: OperatorCases = {
  op: 'MatMulNBits',
  tolerance: { relative: 2 ** -10, absolute: 1e-4 },
  cases: KINDS.map((kind) => caseOf(draw(14), { ...kind, type: 'float16' })),
};
