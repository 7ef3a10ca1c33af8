import { restored } from './blocks.js';
import type { Found, Part } from './by-inputs.js';
import { roundFromZero } from './round-from-zero.js';

/** The exponents to try: at 0, all scales are 1; at 1, scales are proportional to inputs. */
const POWERS = Array.from({ length: 20 }, (_, i) => i / 20);

/** The maximum number of output columns to evaluate for each exponent. Each takes k² multiply-adds. */
const MOST_LOOKED_AT = 64;

/** The squared error of products, trace(E·XᵀX·Eᵀ), for the weight errors E with `room` elements per row. */
function lossOf(errors: Float64Array, room: number, gram: Float64Array): number {
  const k = Math.sqrt(gram.length);
  let loss = 0;
  for (let row = 0; row < errors.length; row += room)
    for (let i = 0; i < k; i++) {
      const error = errors[row + i] as number;
      if (error === 0) continue;
      let sum = 0;
      for (let j = 0; j < k; j++) sum += (gram[i * k + j] as number) * (errors[row + j] as number);
      loss += error * sum;
    }
  return loss;
}

/** The scales of inputs: their magnitude to a power, normalized around 1. Inputs that are always 0 count as 1. */
function scalesFor(gram: Float64Array, power: number): Float32Array {
  const k = Math.sqrt(gram.length);
  const scales = Float32Array.from({ length: k }, (_, i) => (gram[i * k + i] as number) ** (power / 2) || 1);
  const [least, greatest] = [scales.reduce((a, b) => Math.min(a, b)), scales.reduce((a, b) => Math.max(a, b))];
  const middle = Math.sqrt(least) * Math.sqrt(greatest);
  return scales.map((scale) => scale / middle);
}

const roomOf = ({ grid: { block } }: Part, k: number): number => Math.ceil(k / block) * block;

/** Multiplies weights by the scales of inputs; padding stays 0. */
function scaled(part: Part, scales: Float32Array): Float32Array {
  const [k, room] = [scales.length, roomOf(part, scales.length)];
  return part.values.map((x, i) => (i % room < k ? x * (scales[i % room] as number) : 0));
}

/** A sample of the weights' rows. */
function sampleOf(part: Part, k: number): Part {
  const { values, grid } = part;
  const room = roomOf(part, k);
  const step = Math.ceil(values.length / room / MOST_LOOKED_AT);
  return { values: values.filter((_, i) => Math.floor(i / room) % step === 0), grid };
}

function lossWith(part: Part, scales: Float32Array, gram: Float64Array): number {
  const [k, room] = [scales.length, roomOf(part, scales.length)];
  const found = restored(roundFromZero(scaled(part, scales), part.grid), part.grid);
  const errorAt = (x: number, i: number) => (found[i] as number) / (scales[i % room] as number) - x;
  const errors = Float64Array.from(part.values, (x, i) => (i % room < k ? errorAt(x, i) : 0));
  return lossOf(errors, room, gram);
}

/**
 * AWQ (https://arxiv.org/abs/2306.00978): weights of large inputs are scaled up before rounding to nearest, and the
 * inputs down. The scales are a power of input magnitudes, with the exponent that has the least loss over all layers
 * with this input.
 */
export function activationAware(parts: readonly Part[], gram: Float64Array): Found {
  const samples = parts.map((part) => sampleOf(part, Math.sqrt(gram.length)));
  let [best, least] = [scalesFor(gram, 0), Number.POSITIVE_INFINITY];
  for (const power of POWERS) {
    const scales = scalesFor(gram, power);
    const loss = samples.reduce((sum, part) => sum + lossWith(part, scales, gram), 0);
    if (loss < least) [best, least] = [scales, loss];
  }
  return { codes: parts.map((part) => roundFromZero(scaled(part, best), part.grid)), scales: best };
}
