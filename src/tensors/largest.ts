import { SardonyxError } from '../base/errors.js';
import { Tensor } from '../tensor/tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { rowsOf } from './along-axis.js';

/** An element along an axis. */
export interface Entry {
  /** The position along the axis, from 0. */
  readonly index: number;
  /** The element there. */
  readonly value: number;
  /** Its name, if labels are given. */
  readonly label?: string;
}

/** Options of `topK`. */
export interface TopKOptions {
  /** Default: the last axis. */
  readonly axis?: number | undefined;
  /** A name for each index along the axis. */
  readonly labels?: readonly string[] | undefined;
}

/** Whether a precedes b; NaN is the largest, as in NumPy and PyTorch. */
const isLarger = (a: number, b: number) => a > b || (Number.isNaN(a) && !Number.isNaN(b));

/**
 * Indices of the largest elements along an axis, by default the last. The first of equal elements wins. The result is int32, without that
 * axis.
 * @throws SardonyxError INVALID_SHAPE if the axis is empty; INVALID_TYPE and INVALID_ARGUMENT as in `topK`
 */
export function argmax(tensor: TensorValue, axis = -1): Tensor<'int32'> {
  const { values, count, length, step, start, dims, axis: place } = rowsOf(tensor, axis);
  if (length === 0) throw new SardonyxError('INVALID_SHAPE', `axis ${axis} of dims [${dims}] is empty`);
  const indices = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    const first = start(row);
    let best = 0;
    for (let i = 1; i < length; i++)
      if (isLarger(values[first + i * step] as number, values[first + best * step] as number)) best = i;
    indices[row] = best;
  }
  return new Tensor(
    'int32',
    indices,
    dims.filter((_, i) => i !== place),
  );
}

/**
 * The k largest elements along an axis, or all if there are fewer, in descending order, equal ones by index. Returns a list for each row
 * along the axis, in the order of the other dimensions: for scores [batch, classes], a list for each element of the batch.
 * @throws SardonyxError INVALID_TYPE if elements have no order, INVALID_ARGUMENT if the axis does not exist, or if the number of labels
 * differs from its size
 */
export function topK(tensor: TensorValue, k: number, { axis = -1, labels }: TopKOptions = {}): Entry[][] {
  const { values, count, length, step, start, dims } = rowsOf(tensor, axis);
  if (!Number.isInteger(k) || k < 0)
    throw new SardonyxError('INVALID_ARGUMENT', `k is how many are wanted, a whole number, not ${k}`);
  if (labels && labels.length !== length)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `${labels.length} labels for ${length} along axis ${axis} of [${dims}]`,
    );
  return Array.from({ length: count }, (_, row) => {
    const at = (index: number) => values[start(row) + index * step] as number;
    return largest(length, k, at).map((index) => {
      const entry = { index, value: at(index) };
      return labels ? { ...entry, label: labels[index] as string } : entry;
    });
  });
}

/** Collects twice as many as requested, keeps the larger half, and then considers only elements larger than the least of it. */
function largest(length: number, k: number, at: (index: number) => number): number[] {
  const order = (a: number, b: number) => (isLarger(at(a), at(b)) ? -1 : isLarger(at(b), at(a)) ? 1 : a - b);
  let kept: number[] = [];
  let least: number | undefined;
  for (let i = 0; i < length; i++) {
    if (least !== undefined && !isLarger(at(i), least)) continue;
    kept.push(i);
    if (kept.length < 2 * k) continue;
    kept = kept.sort(order).slice(0, k);
    least = at(kept[k - 1] ?? i);
  }
  return kept.sort(order).slice(0, k);
}
