import type { Statistics } from '../contracts/runs.js';

/** Two passes, so that the deviation of numbers far from zero keeps its digits. */
export function statisticsOf(numbers: ArrayLike<number>): Statistics {
  const { sum, min, max, zeros, nans, infinities } = counted(numbers);
  const finite = numbers.length - nans - infinities;
  const mean = finite > 0 ? sum / finite : Number.NaN;
  let squares = 0;
  for (let i = 0; i < numbers.length; i++) {
    const distance = (numbers[i] as number) - mean;
    if (Number.isFinite(distance)) squares += distance * distance;
  }
  const deviation = finite > 0 ? Math.sqrt(squares / finite) : Number.NaN;
  return { count: numbers.length, min, max, mean, deviation, zeros, nans, infinities };
}

function counted(numbers: ArrayLike<number>) {
  let [sum, min, max, zeros, nans, infinities] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 0];
  for (let i = 0; i < numbers.length; i++) {
    const x = numbers[i] as number;
    if (x - x !== 0) {
      if (Number.isNaN(x)) nans++;
      else infinities++;
      continue;
    }
    sum += x;
    if (x < min) min = x;
    if (x > max) max = x;
    if (x === 0) zeros++;
  }
  return min > max
    ? { sum, min: Number.NaN, max: Number.NaN, zeros, nans, infinities }
    : { sum, min, max, zeros, nans, infinities };
}
