import { parametersOf, type Range } from '../static/parameters.js';
import type { Histogram } from './histogram.js';
import type { CalibrationSettings } from './options.js';

/** The fractions of the range to try: 0.2, 0.21 … 1. */
const PARTS = Array.from({ length: 81 }, (_, i) => 1 - i / 100);

/** The sum of squared 8-bit quantization errors over a histogram. */
function squaresOf({ counts, edges }: Histogram, range: Range, symmetric: boolean): number {
  const { scale, zeroPoint } = parametersOf(range, { type: symmetric ? 'int8' : 'uint8', symmetric });
  const [from, to] = symmetric ? [-127, 127] : [-zeroPoint, 255 - zeroPoint];
  let sum = 0;
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) continue;
    const x = ((edges[i] as number) + (edges[i + 1] as number)) / 2;
    const error = x - Math.min(Math.max(Math.round(x / scale), from), to) * scale;
    sum += (counts[i] as number) * error * error;
  }
  return sum;
}

/** The range with the least squared error. Both ends are reduced together first, then each alone. */
export function leastSquaresRange(histogram: Histogram, known: Range, { symmetric }: CalibrationSettings): Range {
  const whole = { lowest: Math.min(known.lowest, 0), highest: Math.max(known.highest, 0) };
  const best = (candidate: (part: number) => Range): Range => {
    const errors = PARTS.map((part) => squaresOf(histogram, candidate(part), symmetric));
    return candidate(PARTS[errors.indexOf(Math.min(...errors))] as number);
  };
  const both = best((part) => ({ lowest: whole.lowest * part, highest: whole.highest * part }));
  if (symmetric) return both;
  const right = best((part) => ({ ...both, highest: whole.highest * part }));
  return best((part) => ({ ...right, lowest: whole.lowest * part }));
}
