const { fround } = Math;

/** The number of terms up to which eight partial sums are used. Longer sums are split in half. */
const LONGEST = 128;
const LANES = 8;

/** Sums float32 numbers in the same order as NumPy. */
export function pairwiseSum(x: Float32Array, begin = 0, count = x.length): number {
  if (count > LONGEST) {
    const half = Math.floor(count / 2 / LANES) * LANES;
    return fround(pairwiseSum(x, begin, half) + pairwiseSum(x, begin + half, count - half));
  }
  const whole = count - (count % LANES);
  let sum = whole > 0 ? laneSum(x, begin, begin + whole) : 0;
  for (let i = begin + whole; i < begin + count; i++) sum = fround(sum + (x[i] as number));
  return sum;
}

function laneSum(x: Float32Array, begin: number, end: number): number {
  const at = (i: number) => x[i] as number;
  let [a, b, c, d] = [at(begin), at(begin + 1), at(begin + 2), at(begin + 3)];
  let [e, f, g, h] = [at(begin + 4), at(begin + 5), at(begin + 6), at(begin + 7)];
  for (let i = begin + LANES; i < end; i += LANES) {
    a = fround(a + at(i));
    b = fround(b + at(i + 1));
    c = fround(c + at(i + 2));
    d = fround(d + at(i + 3));
    e = fround(e + at(i + 4));
    f = fround(f + at(i + 5));
    g = fround(g + at(i + 6));
    h = fround(h + at(i + 7));
  }
  return fround(fround(fround(a + b) + fround(c + d)) + fround(fround(e + f) + fround(g + h)));
}
