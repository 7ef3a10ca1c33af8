import type { HalfType, Settings } from './options.js';

const [INFINITY, NAN_BITS] = [0x7f800000, 0x007fffff];

/**
 * Rounds a non-negative float32 to the nearest value of a type, ties to even; both as bits. NaN keeps the upper bits of
 * its payload.
 */
const NEAREST: Readonly<Record<HalfType, (bits: number, x: number) => number>> = {
  float16(bits, x) {
    if (bits > INFINITY) return 0x7c00 | Math.max(1, (bits & NAN_BITS) >> 13);
    if (bits >= 0x477ff000) return 0x7c00;
    // Below 2^-14, float16 values are multiples of 2^-24. Adding and subtracting 1.5 · 2^52 rounds to an integer.
    if (bits < 0x38800000) return x * 2 ** 24 + 1.5 * 2 ** 52 - 1.5 * 2 ** 52;
    return (bits - 0x38000000 + 0xfff + ((bits >>> 13) & 1)) >>> 13;
  },
  bfloat16: (bits) => (bits > INFINITY ? (bits >>> 16) | 0x40 : (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16),
};

export type Range = Pick<Settings, 'to' | 'minPositive' | 'maxFinite'>;

const bitsOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] as number;

/** Rounds values to 16 bits. Finite values are clamped to `maxFinite`, and nonzero values to at least `minPositive`. */
export function narrowed(values: Float32Array, { to, minPositive, maxFinite }: Range): Uint16Array {
  const nearest = NEAREST[to];
  const [least, most] = [bitsOf(minPositive), bitsOf(maxFinite)];
  const all = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const result = new Uint16Array(values.length);
  for (let i = 0; i < all.length; i++) {
    const word = all[i] as number;
    const bits = word & 0x7fffffff;
    const sign = (word >>> 16) & 0x8000;
    if (bits > most && bits < INFINITY) result[i] = sign | nearest(most, maxFinite);
    else if (bits > 0 && bits < least) result[i] = sign | nearest(least, minPositive);
    else result[i] = sign | nearest(bits, Math.abs(values[i] as number));
  }
  return result;
}

/** Counts the values that are clamped. */
export function clampedIn(values: Float32Array, { minPositive, maxFinite }: Range): { above: number; below: number } {
  const [least, most] = [bitsOf(minPositive), bitsOf(maxFinite)];
  const all = new Uint32Array(values.buffer, values.byteOffset, values.length);
  let [above, below] = [0, 0];
  for (let i = 0; i < all.length; i++) {
    const bits = (all[i] as number) & 0x7fffffff;
    if (bits > most && bits < INFINITY) above++;
    else if (bits > 0 && bits < least) below++;
  }
  return { above, below };
}
