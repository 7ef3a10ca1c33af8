import type { Primitive } from '../schema/definition.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { FORMULAS } from './formulas.js';

const LARGEST = 255;
const round = (x: number) => FORMULAS.Round(x, 0, 0, 0, 0);
const clip = (x: number) => Math.min(Math.max(x, 0), LARGEST);

/** Quantizes floats to 256 steps over a range that includes 0. Returns the integers, the scale and the zero point. */
export const dynamicQuantization: Primitive<Record<string, never>> = {
  name: 'dynamic quantization',
  facts: {},
  reference(c) {
    const x = c.tensor(0);
    const numbers = numbersOf(x);
    const inType = x.type === 'float64' ? (v: number) => v : Math.fround;
    let [least, largest] = [0, 0];
    for (let i = 0; i < numbers.length; i++) {
      least = Math.min(least, numbers[i] as number);
      largest = Math.max(largest, numbers[i] as number);
    }
    const range = inType(largest - least);
    const scale = range === 0 ? 1 : inType(range / LARGEST);
    const zero = round(clip(-inType(least / scale)));
    return [
      tensorOf(
        'uint8',
        x.dims,
        Float64Array.from(numbers, (v) => clip(round(inType(v / scale)) + zero)),
      ),
      tensorOf(x.type, [], [scale]),
      tensorOf('uint8', [], [zero]),
    ];
  },
};
