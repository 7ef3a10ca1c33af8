import { rangesOf } from './block-ranges.js';
import { blankCodes, type Codes, clamp, codeOf, type Grid, inOrder, roundHalfEven } from './blocks.js';
import { pairwiseSum } from './pairwise-sum.js';

const { fround } = Math;

/** Scales are tried for 2^bits - 2 to 2^bits - 0.1 steps between minimum and maximum. */
const TRIALS = 20;
const FIRST = -1;
const STEP = 0.1;

/** A block with the weights of its values in the error, their codes, and memory for terms of sums. */
interface Trial {
  readonly values: Float32Array;
  readonly weights: Float32Array;
  readonly codes: Float32Array;
  readonly terms: Float32Array;
  sumOfWeights: number;
  sumOfValues: number;
}

const trialOf = (block: number): Trial => {
  const room = () => new Float32Array(block);
  return { values: room(), weights: room(), codes: room(), terms: room(), sumOfWeights: 0, sumOfValues: 0 };
};

/** Sets the weights: larger values count more, and all have a minimum. */
function weigh(trial: Trial): void {
  const { values, weights, terms } = trial;
  for (let i = 0; i < values.length; i++) terms[i] = (values[i] as number) ** 2;
  const mean = fround(Math.sqrt(fround(pairwiseSum(terms) / values.length)));
  for (let i = 0; i < values.length; i++) weights[i] = mean + Math.abs(values[i] as number);
  trial.sumOfWeights = pairwiseSum(weights);
  for (let i = 0; i < values.length; i++) terms[i] = (weights[i] as number) * (values[i] as number);
  trial.sumOfValues = pairwiseSum(terms);
}

function round({ values, codes }: Trial, inverse: number, least: number, most: number): void {
  for (let i = 0; i < codes.length; i++)
    codes[i] = codeOf(fround(inverse * fround((values[i] as number) - least)), most);
}

interface Fit {
  readonly scale: number;
  readonly least: number;
  readonly error: number;
}

function fitOf({ values, weights, codes, terms }: Trial, scale: number, least: number): Fit {
  for (let i = 0; i < values.length; i++) {
    const far = fround(fround(fround(scale * (codes[i] as number)) + least) - (values[i] as number));
    terms[i] = (weights[i] as number) * fround(far * far);
  }
  return { scale, least, error: pairwiseSum(terms) };
}

/** The sum of weight · code · factor. */
function sumWith({ weights, codes, terms }: Trial, factor: Float32Array): number {
  for (let i = 0; i < codes.length; i++)
    terms[i] = fround((weights[i] as number) * (codes[i] as number)) * (factor[i] as number);
  return pairwiseSum(terms);
}

function sumOfCodes({ weights, codes, terms }: Trial): number {
  for (let i = 0; i < codes.length; i++) terms[i] = (weights[i] as number) * (codes[i] as number);
  return pairwiseSum(terms);
}

const determinant = (a: number, b: number, c: number, d: number): number => fround(fround(a * b) - fround(c * d));

/** The weighted least-squares line from codes to values. */
function bestFit(trial: Trial): Fit {
  const { sumOfWeights: w, sumOfValues: x, codes, values } = trial;
  const l = sumOfCodes(trial);
  const ll = sumWith(trial, codes);
  const xl = sumWith(trial, values);
  const divisor = determinant(w, ll, l, l);
  return fitOf(trial, fround(determinant(w, xl, x, l) / divisor), fround(determinant(ll, x, l, xl) / divisor));
}

function search(trial: Trial, least: number, greatest: number, most: number): Fit {
  weigh(trial);
  const inverseFor = (steps: number, from: number) =>
    from === greatest ? 1 : fround(fround(steps) / fround(greatest - from));
  const inverse = inverseFor(most, least);
  round(trial, inverse, least, most);
  let best = fitOf(trial, fround(1 / inverse), least);
  for (let i = 0; i < TRIALS; i++) {
    round(trial, inverseFor(FIRST + STEP * i + most, best.least), best.least, most);
    const fit = bestFit(trial);
    if (fit.error < best.error) best = fit;
  }
  return best;
}

/**
 * Finds scales and zero points by llama.cpp's search, in which larger values count more. As in onnxruntime, in single
 * precision; the zero point is then made an integer and values are rounded to nearest.
 */
export function kQuant(
  values: Float32Array,
  grid: Grid,
  found = blankCodes(values.length, grid, new Uint8Array(values.length / grid.block)),
  place = inOrder,
): Codes {
  const { bits, block } = grid;
  const most = 2 ** bits - 1;
  const { codes, scales, zeros } = found;
  const trial = trialOf(block);
  const { least: lowest, greatest } = rangesOf(values, block);
  for (let b = 0; b < lowest.length; b++) {
    const [begin, to] = [b * block, place(b)];
    trial.values.set(values.subarray(begin, begin + block));
    const { scale, least } = search(trial, lowest[b] as number, greatest[b] as number, most);
    const zero = clamp(roundHalfEven(fround(-least / scale)), 0, most);
    for (let i = 0; i < block; i++) codes[to * block + i] = codeOf((values[begin + i] as number) / scale + zero, most);
    scales[to] = scale;
    if (zeros) zeros[to] = zero;
  }
  return found;
}
