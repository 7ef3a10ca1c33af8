import { restored } from './blocks.js';
import type { Found, Part } from './by-inputs.js';
import { roundFromZero } from './round-from-zero.js';

/** Of how far scales follow inputs: none at 0, as inputs are at 1. */
const POWERS = Array.from({ length: 20 }, (_, i) => i / 20);

/** Columns of a layer's result whose loss is looked at for each power: a loss takes k² multiply-adds for each. */
const MOST_LOOKED_AT = 64;

/** What products err by: the trace of E·XᵀX·Eᵀ of an error in weights, in rows of `room`. */
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

/** Scales of inputs: their mean magnitude to a power, around 1; 1 where an input is never anything but 0. */
function scalesFor(gram: Float64Array, power: number): Float32Array {
  const k = Math.sqrt(gram.length);
  const scales = Float32Array.from({ length: k }, (_, i) => (gram[i * k + i] as number) ** (power / 2) || 1);
  const [least, greatest] = [scales.reduce((a, b) => Math.min(a, b)), scales.reduce((a, b) => Math.max(a, b))];
  const middle = Math.sqrt(least) * Math.sqrt(greatest);
  return scales.map((scale) => scale / middle);
}

const roomOf = ({ grid: { block } }: Part, k: number): number => Math.ceil(k / block) * block;

/** Weights as they are with inputs divided by scales; what fills rows up stays 0. */
function scaled(part: Part, scales: Float32Array): Float32Array {
  const [k, room] = [scales.length, roomOf(part, scales.length)];
  return part.values.map((x, i) => (i % room < k ? x * (scales[i % room] as number) : 0));
}

/** Some rows of the weights, from all over. */
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
 * AWQ (https://arxiv.org/abs/2306.00978): weights that large inputs meet are scaled up before they are rounded to the
 * nearest, and inputs down. The power of inputs that scales follow is that with the least loss over all layers of an input.
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
