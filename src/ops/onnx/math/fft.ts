import { account } from '../../../account.js';
/** Complex numbers, with real and imaginary parts in separate arrays. */
export interface Complexes {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** X[k] = Σ x[n]·exp(−2πi·nk/length), in place. */
export type Transform = (x: Complexes) => void;

/** Larger prime factors are cheaper by convolution than by direct sums of products. */
const MAX_RADIX = 61;
const MAX_KEPT = 64;
/** Memory for roots of unity and the working arrays of a convolution of up to four times the length. */
const BYTES_PER_POINT = 256;

/** Steps of one transform. */
export const STEPS_PER_POINT = 32;

export const complexes = (length: number): Complexes => ({
  re: new Float64Array(length),
  im: new Float64Array(length),
});

const transforms = new Map<number, Transform>();

/** The Fourier transform of `length`, at least 1; keeps the tables of recent lengths. */
export function fourierTransform(length: number): Transform {
  const known = transforms.get(length);
  if (known) return known;
  account()?.demand(BYTES_PER_POINT * length, 'the tables of a Fourier transform');
  const factors = radices(length);
  const made = factors.every((p) => p <= MAX_RADIX) ? mixedRadix(length, factors) : byConvolution(length);
  const [oldest] = transforms.keys();
  if (transforms.size >= MAX_KEPT && oldest !== undefined) transforms.delete(oldest);
  transforms.set(length, made);
  return made;
}

/** Swaps real and imaginary parts, which turns a transform into its inverse without the factor 1/length. */
export const swapped = ({ re, im }: Complexes): Complexes => ({ re: im, im: re });

/** Factors of 4, then primes in ascending order. */
function radices(length: number): number[] {
  const factors: number[] = [];
  let rest = length;
  for (; rest % 4 === 0; rest /= 4) factors.push(4);
  for (let p = 2; p * p <= rest; p++) for (; rest % p === 0; rest /= p) factors.push(p);
  if (rest > 1) factors.push(rest);
  return factors;
}

/** exp(−2πi·k/n) for k = 0…n−1, from sines and cosines of at most π/4. */
function rootsOfUnity(n: number): Complexes {
  const roots = complexes(n);
  for (let k = 0; k < n; k++) {
    const octant = Math.floor((8 * k) / n);
    const quarter = Math.floor((octant + 1) / 2);
    const angle = (2 * Math.PI * (k - (quarter * n) / 4)) / n;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const turned = [
      [c, -s],
      [-s, -c],
      [-c, s],
      [s, c],
    ][quarter % 4] as [number, number];
    roots.re[k] = turned[0];
    roots.im[k] = turned[1];
  }
  return roots;
}

/**
 * Stockham's self-sorting transform. Each factor p splits `span` interleaved transforms of p·m points into p·span of m points, from one
 * array to the other. https://doi.org/10.1137/1.9781611970999
 */
function mixedRadix(length: number, factors: readonly number[]): Transform {
  const roots = rootsOfUnity(length);
  const spare = complexes(length);
  return (x) => {
    let [from, to] = [x, spare];
    let span = 1;
    for (const p of factors) {
      const pass = p === 4 ? pass4 : p === 2 ? pass2 : passOdd;
      pass(from, to, roots, length / (span * p), span, p);
      [from, to] = [to, from];
      span *= p;
    }
    if (from === x) return;
    x.re.set(from.re);
    x.im.set(from.im);
  };
}

type Pass = (from: Complexes, to: Complexes, roots: Complexes, m: number, span: number, p: number) => void;

const pass2: Pass = ({ re, im }, to, roots, m, span) => {
  for (let j = 0; j < m; j++) {
    const c = roots.re[j * span] as number;
    const s = roots.im[j * span] as number;
    for (let q = 0; q < span; q++) {
      const a = q + span * j;
      const b = a + span * m;
      const t = q + span * 2 * j;
      const dr = (re[a] as number) - (re[b] as number);
      const di = (im[a] as number) - (im[b] as number);
      to.re[t] = (re[a] as number) + (re[b] as number);
      to.im[t] = (im[a] as number) + (im[b] as number);
      to.re[t + span] = dr * c - di * s;
      to.im[t + span] = dr * s + di * c;
    }
  }
};

const pass4: Pass = ({ re, im }, to, roots, m, span) => {
  for (let j = 0; j < m; j++) {
    const at = j * span;
    const c1 = roots.re[at] as number;
    const s1 = roots.im[at] as number;
    const c2 = roots.re[2 * at] as number;
    const s2 = roots.im[2 * at] as number;
    const c3 = roots.re[3 * at] as number;
    const s3 = roots.im[3 * at] as number;
    for (let q = 0; q < span; q++) {
      const a = q + at;
      const b = a + span * m;
      const c = b + span * m;
      const d = c + span * m;
      const evenRe = (re[a] as number) + (re[c] as number);
      const evenIm = (im[a] as number) + (im[c] as number);
      const oddRe = (re[b] as number) + (re[d] as number);
      const oddIm = (im[b] as number) + (im[d] as number);
      const acRe = (re[a] as number) - (re[c] as number);
      const acIm = (im[a] as number) - (im[c] as number);
      const bdRe = (re[b] as number) - (re[d] as number);
      const bdIm = (im[b] as number) - (im[d] as number);
      const t = q + 4 * at;
      to.re[t] = evenRe + oddRe;
      to.im[t] = evenIm + oddIm;
      to.re[t + span] = (acRe + bdIm) * c1 - (acIm - bdRe) * s1;
      to.im[t + span] = (acRe + bdIm) * s1 + (acIm - bdRe) * c1;
      to.re[t + 2 * span] = (evenRe - oddRe) * c2 - (evenIm - oddIm) * s2;
      to.im[t + 2 * span] = (evenRe - oddRe) * s2 + (evenIm - oddIm) * c2;
      to.re[t + 3 * span] = (acRe - bdIm) * c3 - (acIm + bdRe) * s3;
      to.im[t + 3 * span] = (acRe - bdIm) * s3 + (acIm + bdRe) * c3;
    }
  }
};

/** An odd factor: the points t and p−t share products with cosine and sine. */
const passOdd: Pass = ({ re, im }, to, roots, m, span, p) => {
  const length = span * m * p;
  const half = (p - 1) / 2;
  const sums = complexes(half + 1);
  const differences = complexes(half + 1);
  for (let j = 0; j < m; j++) {
    for (let q = 0; q < span; q++) {
      const first = q + span * j;
      const firstRe = re[first] as number;
      const firstIm = im[first] as number;
      let totalRe = firstRe;
      let totalIm = firstIm;
      for (let t = 1; t <= half; t++) {
        const a = first + span * m * t;
        const b = first + span * m * (p - t);
        sums.re[t] = (re[a] as number) + (re[b] as number);
        sums.im[t] = (im[a] as number) + (im[b] as number);
        differences.re[t] = (re[a] as number) - (re[b] as number);
        differences.im[t] = (im[a] as number) - (im[b] as number);
        totalRe += sums.re[t] as number;
        totalIm += sums.im[t] as number;
      }
      const target = q + span * p * j;
      to.re[target] = totalRe;
      to.im[target] = totalIm;
      for (let k = 1; k <= half; k++) {
        let [cosRe, cosIm, sinRe, sinIm] = [firstRe, firstIm, 0, 0];
        for (let t = 1, turn = k; t <= half; t++) {
          const c = roots.re[turn * span * m] as number;
          const s = roots.im[turn * span * m] as number;
          cosRe += (sums.re[t] as number) * c;
          cosIm += (sums.im[t] as number) * c;
          sinRe += (differences.re[t] as number) * s;
          sinIm += (differences.im[t] as number) * s;
          turn += k;
          if (turn >= p) turn -= p;
        }
        turnInto(to, target + span * k, cosRe - sinIm, cosIm + sinRe, roots, (j * k * span) % length);
        turnInto(to, target + span * (p - k), cosRe + sinIm, cosIm - sinRe, roots, (j * (p - k) * span) % length);
      }
    }
  }
};

function turnInto(to: Complexes, at: number, re: number, im: number, roots: Complexes, turn: number): void {
  const c = roots.re[turn] as number;
  const s = roots.im[turn] as number;
  to.re[at] = re * c - im * s;
  to.im[at] = re * s + im * c;
}

/**
 * Bluestein's transform: with nk = (n² + k² − (k−n)²)/2 it is a convolution, which is computed with a power of two.
 * https://doi.org/10.1109/TAU.1970.1162132
 */
function byConvolution(length: number): Transform {
  const size = 2 ** Math.ceil(Math.log2(2 * length - 1));
  const transform = fourierTransform(size);
  const roots = rootsOfUnity(2 * length);
  const chirp = complexes(length);
  const filter = complexes(size);
  for (let k = 0; k < length; k++) {
    const turn = squareModulo(k, 2 * length);
    chirp.re[k] = roots.re[turn] as number;
    chirp.im[k] = roots.im[turn] as number;
    for (const at of [k, (size - k) % size]) {
      filter.re[at] = (roots.re[turn] as number) / size;
      filter.im[at] = -(roots.im[turn] as number) / size;
    }
  }
  transform(filter);
  const work = complexes(size);
  return (x) => {
    multiply(x, chirp, work, length);
    work.re.fill(0, length);
    work.im.fill(0, length);
    transform(work);
    multiply(work, filter, work, size);
    transform(swapped(work));
    multiply(work, chirp, x, length);
  };
}

/** k² mod n, exact for all lengths that fit in memory. */
const squareModulo = (k: number, n: number): number =>
  k < 2 ** 26 ? (k * k) % n : Number((BigInt(k) * BigInt(k)) % BigInt(n));

function multiply(a: Complexes, b: Complexes, product: Complexes, count: number): void {
  for (let i = 0; i < count; i++) {
    const ar = a.re[i] as number;
    const ai = a.im[i] as number;
    const br = b.re[i] as number;
    const bi = b.im[i] as number;
    product.re[i] = ar * br - ai * bi;
    product.im[i] = ar * bi + ai * br;
  }
}

/** Number of points that determine the transform of real data; the rest are their conjugates. */
export const onesidedLength = (length: number): number => Math.floor(length / 2) + 1;
