import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import type { Random } from './random.js';

/** Whole numbers at which something usually ends. */
export const INTEGERS: readonly bigint[] = [
  -1n,
  0n,
  1n,
  2n,
  3n,
  7n,
  -2n,
  -9n,
  127n,
  128n,
  255n,
  65536n,
  -(2n ** 31n),
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 40n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

export const SMALL_INTEGERS: readonly bigint[] = [-3n, -2n, -1n, 0n, 1n, 2n, 3n, 4n, 5n, 7n, 9n];

export const FLOATS: readonly number[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1e-45,
  3e38,
  -3e38,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
];

export const STRINGS: readonly string[] = [
  '',
  ' ',
  '\0',
  '__proto__',
  'constructor',
  'toString',
  'no such word',
  '(',
  '(a+)+$',
  '\\',
  '[[:alpha:]',
  '9'.repeat(99),
  '-1',
  'NaN',
  '1e999',
  '\u{1f600}',
  'é',
  '?1',
  'x'.repeat(5000),
];

export const ELEMENT_TYPES = Object.keys(ELEMENTS) as readonly ElementType[];

/** Mostly numbers of the size that models have, now and then one at which something ends. */
export const oddInteger = (random: Random): bigint => random.pick(random.chance(0.6) ? SMALL_INTEGERS : INTEGERS);

/** Few dims, mostly small. */
export const oddDims = (random: Random): number[] =>
  Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3, 4, 5, 9]) }, () => random.pick([0, 1, 1, 2, 2, 3, 4, 5]));
