import { SardonyxError } from '../../base/errors.js';
import { type Field, floats, integer } from '../fields.js';
import { floatTensor, shownBy, value } from './value.js';

/** Counts by threshold, from 0 to 1. */
export interface Decisions {
  readonly truePositives: readonly number[];
  readonly falsePositives: readonly number[];
}

/**
 * Counts the positives and negatives at or above each threshold.
 * @throws SardonyxError INVALID_VALUE if a prediction is not from 0 to 1
 */
export function decide(labels: ArrayLike<unknown>, predictions: ArrayLike<number>, thresholds: number): Decisions {
  const [truePositives, falsePositives] = [0, 0].map(() => new Array<number>(thresholds).fill(0)) as [
    number[],
    number[],
  ];
  for (let i = 0; i < predictions.length; i++) {
    const prediction = predictions[i] as number;
    if (!(prediction >= 0 && prediction <= 1)) throw noProbability(prediction, i);
    const taken = Number(labels[i]) === 0 ? falsePositives : truePositives;
    const place = Math.floor(prediction * (thresholds - 1));
    taken[place] = (taken[place] as number) + 1;
  }
  for (const counts of [truePositives, falsePositives])
    for (let i = thresholds - 2; i >= 0; i--) counts[i] = (counts[i] as number) + (counts[i + 1] as number);
  return { truePositives, falsePositives };
}

const noProbability = (prediction: number, i: number) =>
  new SardonyxError('INVALID_VALUE', `prediction ${i}: expected a probability from 0 to 1, got ${prediction}`);

/** Avoids a division by zero. */
const ratio = (part: number, whole: number) => part / Math.max(whole, 1e-7);

/** TensorBoard's tensor [6, thresholds]: true and false positives, true and false negatives, precision, recall. */
function rowsOf({ truePositives, falsePositives }: Decisions): readonly (readonly number[])[] {
  const [positives, negatives] = [truePositives[0] as number, falsePositives[0] as number];
  return [
    truePositives,
    falsePositives,
    falsePositives.map((count) => negatives - count),
    truePositives.map((count) => positives - count),
    truePositives.map((count, i) => ratio(count, count + (falsePositives[i] as number))),
    truePositives.map((count) => ratio(count, positives)),
  ];
}

export function prCurve(tag: string, decisions: Decisions): Field {
  const count = decisions.truePositives.length;
  const content = integer(2, count);
  const rows = floatTensor([6, count], (id) => floats(id, rowsOf(decisions).flat()));
  return value(tag, rows, shownBy('pr_curves', content));
}
