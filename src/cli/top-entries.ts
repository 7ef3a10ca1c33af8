import { readFileSync } from 'node:fs';
import { isFloat } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import type { TensorValue } from '../tensor/tensor-value.js';

export interface Entry {
  readonly index: number;
  readonly label: string | undefined;
  readonly value: number;
}

/** The names of classes, one per line. */
export const readLabels = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);

/** Whether a tensor reads as scores of classes: floats, its last dimension the number of labels. */
export const isScores = ({ type, dims }: TensorValue, labels: readonly string[]): boolean =>
  isFloat(type) && dims.at(-1) === labels.length;

/** The `count` largest entries of each row along the last dimension, largest first. */
export function topEntries(scores: TensorValue, count: number, labels: readonly string[] = []): Entry[][] {
  const values = numbersOf(scores);
  const width = scores.dims.at(-1) ?? 1;
  return Array.from({ length: width === 0 ? 0 : values.length / width }, (_, row) =>
    Array.from({ length: width }, (_, index) => ({
      index,
      label: labels[index],
      value: values[row * width + index] as number,
    }))
      .sort((a, b) => b.value - a.value)
      .slice(0, count),
  );
}
