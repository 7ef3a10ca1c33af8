const ROUNDS = 10;
const [M0, M1] = [0xd2511f53, 0xcd9e8d57];
const [W0, W1] = [0x9e3779b9, 0xbb67ae85];

/** Upper 32 bits of a product of two words. */
function highWord(a: number, b: number): number {
  const low = b & 0xffff;
  const high = b >>> 16;
  const middle = (Math.imul(a >>> 16, low) + (Math.imul(a & 0xffff, low) >>> 16)) >>> 0;
  const crossed = (Math.imul(a & 0xffff, high) + (middle & 0xffff)) >>> 0;
  return (Math.imul(a >>> 16, high) + (middle >>> 16) + (crossed >>> 16)) >>> 0;
}

/** A key of 64 bits. */
export type Key = readonly [low: number, high: number];

/**
 * The first `count` words of Philox 4×32-10 under `key`: four per value of the counter, so that each word depends on its
 * index alone. https://www.thesalmons.org/john/random123/papers/random123sc11.pdf
 */
export function philox([key0, key1]: Key, count: number): Uint32Array {
  const words = new Uint32Array(Math.ceil(count / 4) * 4);
  for (let at = 0; at < words.length; at += 4) {
    let a = (at / 4) | 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let low = key0 | 0;
    let high = key1 | 0;
    for (let round = 0; round < ROUNDS; round++) {
      const first = a;
      const third = c;
      a = highWord(M1, third) ^ b ^ low;
      b = Math.imul(M1, third);
      c = highWord(M0, first) ^ d ^ high;
      d = Math.imul(M0, first);
      low = (low + W0) | 0;
      high = (high + W1) | 0;
    }
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = c;
    words[at + 3] = d;
  }
  return words.subarray(0, count);
}

/** The key for a `seed` attribute, the bits of its float32; a new random key without one. */
export function keyOf(seed: number | undefined): Key {
  if (seed !== undefined) return [new Uint32Array(Float32Array.of(seed).buffer)[0] as number, 0];
  const [low, high] = crypto.getRandomValues(new Uint32Array(2));
  return [low as number, high as number];
}

/** `count` multiples of 2⁻⁵³ in [0, 1), from two words each. */
export function uniforms(key: Key, count: number): Float64Array {
  const words = philox(key, 2 * count);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++)
    values[i] = ((words[2 * i] as number) * 2 ** 21 + ((words[2 * i + 1] as number) >>> 11)) / 2 ** 53;
  return values;
}
