import type { ElementType } from '../../src/tensor/element-types.js';
import type { Choices } from '../fuzz/graphs/choices.js';
import { isFloating } from '../fuzz/graphs/plain-tensors.js';
import type { Plain } from '../fuzz/reference/array.js';
import { INTEGERS, rangeOf } from '../fuzz/reference/number-types.js';

/** How large the numbers of a case are: sums and products of moderate ones overflow nowhere, those of any do. */
export type Reach = 'moderate' | 'any';

const { NaN: NONE, POSITIVE_INFINITY: INFINITE, NEGATIVE_INFINITY: LEAST } = Number;

const MODERATE = [NONE, INFINITE, LEAST, -0, 0, 1, -1, 2, -2, 3, 0.5, -0.5, 1.5, 2.5, -2.5, 0.25, 7, -7];

/** Limits of floats, and of the integers that they are cast to. */
const LARGE: Partial<Record<ElementType, readonly number[]>> = {
  float64: [
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    Number.MIN_VALUE,
    -Number.MIN_VALUE,
    2 ** -1022,
    1e300,
    3.4028235677973366e38,
    2049.000001,
  ],
  float32: [3.4028234663852886e38, -3.4028234663852886e38, 2 ** -149, -(2 ** -149), 2 ** -126, 1e30, -1e30],
  bfloat16: [3.3895313892515355e38, -3.3895313892515355e38, 2 ** -133, -(2 ** -133), 2 ** -126],
  float16: [65504, -65504, 2 ** -24, -(2 ** -24), 2 ** -14, 2049],
};
const CASTS = [7, 8, 15, 16, 31, 32, 63, 64].flatMap((bits) => [
  2 ** bits,
  -(2 ** bits),
  2 ** bits - 1,
  2 ** bits + 0.5,
]);
const BEYOND = [...CASTS, 449, -449, 241, 57345, 61440, -61441, 1e10, -1e10, 1e-5, 0.4999999701976776, 300.7, -1.9];

/** A special value of the type, as often as not an ordinary one. */
export function specialOf(g: Choices, type: ElementType, reach: Reach): Plain {
  if (type === 'bool') return g.below(2);
  if (type === 'string') return g.pick(['', 'a', 'NaN', '-INF', '1e10', '-0', '3.5']);
  if (isFloating(type)) {
    const far = reach === 'any' && g.chance(0.5);
    return g.pick(far ? [...BEYOND, ...(LARGE[type] ?? LARGE.float16 ?? []), ...(LARGE[type] ?? [])] : MODERATE);
  }
  const { bits, signed } = INTEGERS[type] as { bits: number; signed: boolean };
  const [least, largest] = rangeOf(type);
  const few = [0n, 1n, 2n, 3n, ...(signed ? [-1n, -2n] : [])];
  const limits = [
    least,
    largest,
    least + 1n,
    largest - 1n,
    ...(bits > 24 ? [(1n << 24n) + 1n] : []),
    ...(bits > 53 ? [(1n << 53n) + 1n] : []),
  ];
  const chosen = g.pick(reach === 'any' && g.chance(0.5) ? limits : few);
  return bits === 64 ? chosen : Number(chosen);
}
