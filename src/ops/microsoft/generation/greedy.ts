import { account } from '../../../account.js';
import type { Evaluation, Iteration } from '../../../schema/definition.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { type Decoder, lastLogits } from './decoder.js';
import type { LogitsProcessor } from './logits-processors.js';
import { appended, type Sequences, sequenceOf, startSequences } from './sequences.js';
import { vocabularyOf } from './subgraph-form.js';

export interface GreedySettings {
  readonly limit: number;
  readonly endToken: number;
  readonly padToken: number;
  readonly vocabulary: number | undefined;
  /** Logits processors for the size of the vocabulary. */
  readonly processors: (vocabulary: number) => readonly LogitsProcessor[];
  /** Picks the next token of each row by scores [rows,vocabulary], which it may modify. */
  readonly pick: (scores: Float32Array, vocabulary: number) => number[];
}

export interface Generated {
  readonly sequences: Sequences;
  /** Scores that the last tokens were picked by, [rows,vocabulary]. */
  readonly scores: TensorValue;
}

/** Generates token by token until all rows have ended or reached the limit. */
export function* generate(c: Evaluation<unknown>, decoder: Decoder, settings: GreedySettings): Iteration<Generated> {
  const { limit, endToken, padToken } = settings;
  let sequences = startSequences(decoder.prompt, 1, limit);
  const rows = sequences.rows.length;
  const ended = new Array<boolean>(rows).fill(false);
  let logits = yield* decoder.begin();
  const vocabulary = vocabularyOf(c, settings.vocabulary, logits);
  const processors = settings.processors(vocabulary);
  for (let step = 1; ; step++) {
    const scores = lastLogits(logits, rows, vocabulary);
    account()?.spend(scores.length);
    process(scores, vocabulary, sequences, processors, step);
    const tokens = settings.pick(scores, vocabulary).map((token, row) => {
      ended[row] ||= token === endToken;
      return ended[row] ? padToken : token;
    });
    sequences = appended(sequences, tokens);
    if (ended.every(Boolean) || sequences.length === limit)
      return { sequences, scores: { type: 'float32', dims: [rows, vocabulary], data: scores } };
    logits = yield* decoder.step({ sequences, tokens });
  }
}

/** Applies the processors to scores [rows,vocabulary] of the next token. */
export function process(
  scores: Float32Array,
  vocabulary: number,
  sequences: Sequences,
  processors: readonly LogitsProcessor[],
  step: number,
): void {
  for (let row = 0; row < sequences.rows.length; row++) {
    const own = scores.subarray(row * vocabulary, (row + 1) * vocabulary);
    for (const change of processors) change(own, { row, step, sequence: sequenceOf(sequences, row) });
  }
}

/** Sequences, padded to their limit. */
export function padded({ rows, length, limit }: Sequences, padToken: number): TensorValue {
  const data = new Int32Array(rows.length * limit).fill(padToken);
  rows.forEach((row, i) => {
    data.set(row.subarray(0, length), i * limit);
  });
  return { type: 'int32', dims: [rows.length, limit], data };
}
