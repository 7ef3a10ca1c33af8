import { roundHalfEven } from '../weights/blocks.js';
import type { Levels } from './levels.js';
import { NEAREST, type ScaleType } from './parameters.js';

/** Slightly more than needed, so that nothing is clipped. */
const MARGIN = 1.0001;

/** The number of steps on both sides of 0 in 32 bits. */
const REACH = 2 ** 32 - 2;

/**
 * Increases the scales of a weight so that biases, in the scale of products, fit in 32 bits. Returns the same levels if
 * they do. https://github.com/tensorflow/tensorflow/blob/master/tensorflow/lite/tools/optimize/quantization_utils.cc
 */
export function fittedToBias(levels: Levels, inputScale: number, bias: Float32Array, float: ScaleType): Levels {
  const { type, axis, scales, zeroPoints } = levels;
  const isAround0 = zeroPoints.every((zero) => zero === 0);
  if (!['int8', 'int16'].includes(type) || !isAround0 || bias.length === 0) return levels;
  if (axis !== undefined && bias.length !== scales.length) return levels;
  const nearest = NEAREST[float];
  const largest = bias.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const least = (i: number) =>
    axis === undefined
      ? (MARGIN * 2 * largest) / REACH
      : nearest(MARGIN * nearest(2 * Math.abs(bias[i] as number))) / REACH;
  const fitted = scales.map((scale, i) => {
    const step = inputScale * scale;
    return step > 0 && step < least(i) ? nearest(scale * (least(i) / step)) : scale;
  });
  return { ...levels, scales: fitted };
}

/** The scales of a bias: one, or one per channel of the weight. */
export const biasScales = (inputScale: number, { scales }: Levels, float: ScaleType): Float32Array =>
  scales.map((scale) => NEAREST[float](inputScale * scale));

/** Quantizes a bias and clamps it to 32 bits. */
export function biasCodes(bias: Float32Array, scales: Float32Array): Int32Array {
  return Int32Array.from(bias, (x, i) => {
    const steps = roundHalfEven(x / (scales[i % scales.length] as number));
    return Math.min(Math.max(steps, -(2 ** 31)), 2 ** 31 - 1);
  });
}
