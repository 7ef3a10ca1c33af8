import { readFileSync } from 'node:fs';
import { isFloat } from '../tensor/element-types.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { type Entry, topK } from '../tensors/largest.js';

/** The names of classes, one per line. */
export const readLabels = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);

/** Whether a tensor can hold class scores: floats, with as many in the last dimension as labels. */
export const isScores = ({ type, dims }: TensorValue, labels: readonly string[]): boolean =>
  isFloat(type) && dims.at(-1) === labels.length;

/** The `count` largest entries of each row along the last dimension; none for types without an order. */
export function topEntries(scores: TensorValue, count: number, labels?: readonly string[]): Entry[][] {
  const { type, dims, data } = scores;
  if (type === 'string' || type.startsWith('complex')) return [];
  return topK({ type, dims: dims.length > 0 ? dims : [1], data } as TensorValue, count, { labels });
}
