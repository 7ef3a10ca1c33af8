import { type Codes, restored } from './blocks.js';
import type { Found, Part } from './by-inputs.js';
import { roundFromZero } from './round-from-zero.js';

/** Of how far scales follow inputs: none at 0, as inputs are at 1. */
const POWERS = Array.from({ length: 20 }, (_, i) => i / 20);

/** What products err by: the trace of E·XᵀX·Eᵀ of an error in weights, in rows of `room`. */
export function lossOf(errors: Float64Array, room: number, gram: Float64Array): number {
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

function roundScaled({ values, grid }: Part, scales: Float32Array, gram: Float64Array): readonly [Codes, number] {
  const k = scales.length;
  const room = Math.ceil(k / grid.block) * grid.block;
  const scaled = values.map((x, i) => (i % room < k ? x * (scales[i % room] as number) : 0));
  const codes = roundFromZero(scaled, grid);
  const found = restored(codes, grid);
  const errors = Float64Array.from(values, (x, i) =>
    i % room < k ? (found[i] as number) / (scales[i % room] as number) - x : 0,
  );
  return [codes, lossOf(errors, room, gram)];
}

/**
 * AWQ (https://arxiv.org/abs/2306.00978): weights that large inputs meet are scaled up before they are rounded to the
 * nearest, and inputs down. The power of inputs that scales follow is that with the least loss over all layers of an input.
 */
export function activationAware(parts: readonly Part[], gram: Float64Array): Found {
  let [best, least]: [Found | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const power of POWERS) {
    const scales = scalesFor(gram, power);
    const rounded = parts.map((part) => roundScaled(part, scales, gram));
    const loss = rounded.reduce((sum, [, own]) => sum + own, 0);
    if (best && !(loss < least)) continue;
    [best, least] = [{ codes: rounded.map(([codes]) => codes), scales }, loss];
  }
  return best as Found;
}
