import { rangesOf } from './block-ranges.js';
import { type Codes, codeOf, type Grid, roundHalfEven } from './blocks.js';

const { fround } = Math;

const ROUNDS = 20;
/** Parameters of the norm and of the penalty: https://mobiusml.github.io/hqq_blog */
const NORM = fround(0.7 - 1);
const STRENGTH = 10;
const GROWTH = 1.01;
const MOST_PER_STEP = 2e4;

const shrunk = (error: number, inverseStrength: number): number => {
  const size = Math.abs(error);
  const power = fround(fround(size + fround(1e-8)) ** NORM);
  return Math.sign(error) * Math.max(fround(size - fround(inverseStrength * power)), 0);
};

/** The inverse scale and zero point for a range. */
function startOf(least: number, greatest: number, most: number): readonly [inverse: number, zero: number] {
  const reach = fround(greatest - least) || most;
  const inverse = Math.min(fround(fround(1 / reach) * most), MOST_PER_STEP);
  return [inverse, roundHalfEven(fround(-least * inverse))];
}

/**
 * Half-quadratic quantization: optimizes real-valued zero points for the 0.7-norm of errors, in which outliers weigh
 * less. Iterates over all blocks while their mean error decreases.
 */
export function halfQuadratic(values: Float32Array, grid: Grid): Codes {
  const { bits, block } = grid;
  const most = 2 ** bits - 1;
  const count = values.length / block;
  const [inverses, zeros] = [new Float32Array(count), new Float32Array(count)];
  const { least: lowest, greatest } = rangesOf(values, block);
  for (let b = 0; b < count; b++)
    [inverses[b], zeros[b]] = startOf(lowest[b] as number, greatest[b] as number, most) as [number, number];
  const code = (i: number, inverse: number, zero: number) =>
    codeOf(fround(fround((values[i] as number) * inverse) + zero), most);
  let [least, strength] = [1e4, STRENGTH];
  for (let round = 0; round < ROUNDS; round++, strength *= GROWTH) {
    let sum = 0;
    for (let b = 0; b < count; b++) {
      const [inverse, zero] = [inverses[b] as number, zeros[b] as number];
      let better = 0;
      for (let i = b * block; i < (b + 1) * block; i++) {
        const [x, q] = [values[i] as number, code(i, inverse, zero)];
        const error = fround(x - fround(fround(q - zero) / inverse));
        sum += Math.abs(error);
        better += fround(q - fround(fround(x - shrunk(error, fround(1 / strength))) * inverse));
      }
      zeros[b] = better / block;
    }
    const mean = fround(sum / values.length);
    if (!(mean < least)) break;
    least = mean;
  }
  const codes = new Uint8Array(values.length);
  for (let i = 0; i < codes.length; i++) {
    const b = Math.floor(i / block);
    codes[i] = code(i, inverses[b] as number, zeros[b] as number);
  }
  return { codes, scales: inverses.map((inverse) => 1 / inverse), zeros };
}
