import { type Codes, clamp, type Grid, roundHalfEven } from './blocks.js';
import { rangeOf } from './round-to-nearest.js';

const { fround } = Math;

/** Scales are tried for 2^bits - 2 to 2^bits + 0.9 steps between the least and the greatest. */
const TRIALS = 20;
const FIRST = -1;
const STEP = 0.1;

/** The sum of single-precision numbers in the order in which numpy adds them up. */
export function pairwiseSum(x: Float32Array, begin: number, count: number): number {
  if (count > 128) {
    const half = Math.floor(count / 16) * 8;
    return fround(pairwiseSum(x, begin, half) + pairwiseSum(x, begin + half, count - half));
  }
  let [sum, i] = [0, 0];
  if (count >= 8) {
    const lanes = Float32Array.from(x.subarray(begin, begin + 8));
    for (i = 8; i + 8 <= count; i += 8)
      for (let lane = 0; lane < 8; lane++) lanes[lane] = (lanes[lane] as number) + (x[begin + i + lane] as number);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = lanes;
    sum = fround(fround(fround(a + b) + fround(c + d)) + fround(fround(e + f) + fround(g + h)));
  }
  for (; i < count; i++) sum = fround(sum + (x[begin + i] as number));
  return sum;
}

interface Fit {
  readonly scale: number;
  readonly least: number;
  readonly error: number;
}

/** A block, how much each of its numbers counts, and room for sums. */
class Block {
  readonly weights: Float32Array;
  readonly codes: Float32Array;
  readonly #terms: Float32Array;
  readonly #sumOfWeights: number;
  readonly #sumOfValues: number;

  constructor(readonly values: Float32Array) {
    this.#terms = new Float32Array(values.length);
    this.codes = new Float32Array(values.length);
    const mean = fround(Math.sqrt(fround(this.#sum((x) => x * x) / values.length)));
    this.weights = values.map((x) => mean + Math.abs(x));
    this.#sumOfWeights = this.#sum((_, w) => w);
    this.#sumOfValues = this.#sum((x, w) => w * x);
  }

  #sum(term: (x: number, weight: number, code: number) => number): number {
    for (let i = 0; i < this.values.length; i++)
      this.#terms[i] = term(this.values[i] as number, this.weights?.[i] as number, this.codes[i] as number);
    return pairwiseSum(this.#terms, 0, this.values.length);
  }

  round(inverse: number, least: number, most: number): void {
    for (let i = 0; i < this.codes.length; i++)
      this.codes[i] = clamp(roundHalfEven(fround(inverse * fround((this.values[i] as number) - least))), 0, most);
  }

  fitOf(scale: number, least: number): Fit {
    const error = this.#sum((x, w, q) => {
      const distance = fround(fround(fround(scale * q) + least) - x);
      return w * fround(distance * distance);
    });
    return { scale, least, error };
  }

  /** The line through codes that is nearest to the values: least squares, by weights. */
  bestFit(): Fit {
    const [w, x] = [this.#sumOfWeights, this.#sumOfValues];
    const l = this.#sum((_, w, q) => w * q);
    const ll = this.#sum((_, w, q) => fround(w * q) * q);
    const xl = this.#sum((x, w, q) => fround(w * q) * x);
    const determinant = difference(w, ll, l, l);
    return this.fitOf(fround(difference(w, xl, x, l) / determinant), fround(difference(ll, x, l, xl) / determinant));
  }
}

const difference = (a: number, b: number, c: number, d: number): number => fround(fround(a * b) - fround(c * d));

function fitOf(values: Float32Array, most: number): Fit {
  const block = new Block(values);
  const [least, greatest] = rangeOf(values, 0, values.length);
  const inverseFor = (steps: number, from: number) =>
    from === greatest ? 1 : fround(fround(steps) / fround(greatest - from));
  const inverse = inverseFor(most, least);
  block.round(inverse, least, most);
  let best = block.fitOf(fround(1 / inverse), least);
  for (let trial = 0; trial < TRIALS; trial++) {
    block.round(inverseFor(FIRST + STEP * trial + most, best.least), best.least, most);
    const fit = block.bestFit();
    if (fit.error < best.error) best = fit;
  }
  return best;
}

/**
 * Scales and zero points of blocks by llama.cpp's search, in which larger numbers count more; as onnxruntime's does it, in
 * single precision, the zero point is then made an integer, and numbers are rounded to the nearest.
 */
export function kQuant(values: Float32Array, { bits, block }: Grid): Codes {
  const most = 2 ** bits - 1;
  const count = values.length / block;
  const [codes, scales, zeros] = [new Uint8Array(values.length), new Float32Array(count), new Uint8Array(count)];
  for (let b = 0; b < count; b++) {
    const own = values.subarray(b * block, (b + 1) * block);
    const { scale, least } = fitOf(own, most);
    const zero = clamp(roundHalfEven(fround(-least / scale)), 0, most);
    own.forEach((x, i) => {
      codes[b * block + i] = clamp(roundHalfEven(x / scale + zero), 0, most);
    });
    scales[b] = scale;
    zeros[b] = zero;
  }
  return { codes, scales, zeros };
}
