import type { Iteration } from '../../../schema/definition.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Sequences } from './sequences.js';

/** The latest tokens, the sequences that include them, and the row that each continues. */
export interface Chosen {
  readonly sequences: Sequences;
  readonly tokens: readonly number[];
  readonly sources?: readonly number[];
}

/** A model that computes logits of the next token, [rows or batch,length,vocabulary], by running its subgraphs. */
export interface Decoder {
  /** The first tokens, */
  readonly prompt: TensorValue;
  begin(): Iteration<TensorValue>;
  step(chosen: Chosen): Iteration<TensorValue>;
}

/** Logits of the last position for each of `rows` rows: [rows,vocabulary]; several rows may share a row of `logits`. */
export function lastLogits(logits: TensorValue, rows: number, vocabulary: number): Float32Array {
  const [given = 1, length = 1, width = 0] = logits.dims;
  const numbers = numbersOf(logits);
  const last = new Float32Array(rows * vocabulary);
  for (let row = 0; row < rows; row++) {
    const at = (Math.floor((row * given) / rows) * length + length - 1) * width;
    for (let i = 0; i < vocabulary; i++) last[row * vocabulary + i] = numbers[at + i] as number;
  }
  return last;
}

/** Log softmax of each row of `width` elements, in place. */
export function logSoftmaxRows(x: Float32Array, width: number): void {
  for (let at = 0; at < x.length; at += width) {
    const row = x.subarray(at, at + width);
    const most = row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const sum = row.reduce((total, value) => total + Math.exp(value - most), 0);
    const logSum = Math.log(sum);
    for (let i = 0; i < width; i++) row[i] = (row[i] as number) - most - logSum;
  }
}
