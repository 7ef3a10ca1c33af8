import { account } from '../../../account.js';
import type { Evaluation, Iteration } from '../../../schema/definition.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { collect, uncount } from '../../onnx/controlflow/stack.js';
import { BeamScorer, type BeamSettings } from './beam-scorer.js';
import { type Decoder, lastLogits, logSoftmaxRows } from './decoder.js';
import { process } from './greedy.js';
import type { LogitsProcessor } from './logits-processors.js';
import { appended, startSequences } from './sequences.js';
import { vocabularyOf } from './subgraph-form.js';

export interface SearchSettings extends BeamSettings {
  readonly limit: number;
  /** Number of sequences to return per batch element. */
  readonly returned: number;
  readonly vocabulary: number | undefined;
  readonly processors: (vocabulary: number) => readonly LogitsProcessor[];
  readonly wantsScores: boolean;
  /** Receives the logits of the first token, [rows,vocabulary]. */
  readonly observeFirst?: (logits: Float32Array, vocabulary: number) => void;
}

export interface Found {
  /** [batch,returned,limit], padded. */
  readonly sequences: TensorValue;
  /** [batch,returned] */
  readonly scores: TensorValue;
  /** Scores of each step, [limit − prompt,batch,beams,vocabulary]; zeros for steps that did not run. */
  readonly steps: TensorValue;
}

/** Initial score of all beams but the first, so that not all choose the same tokens. */
const UNLIKELY = -1e9;

const first = (rows: number, beams: number) =>
  Float32Array.from({ length: rows }, (_, i) => (i % beams ? UNLIKELY : 0));

/** Adds each sequence's score to the scores of its next tokens. */
function addSums(scores: Float32Array, sums: Float32Array, vocabulary: number): void {
  for (let i = 0; i < scores.length; i++)
    scores[i] = (scores[i] as number) + (sums[Math.floor(i / vocabulary)] as number);
}

/** Beam search: keeps the `beams` likeliest sequences of each batch element. */
export function* beamSearch(c: Evaluation<unknown>, decoder: Decoder, settings: SearchSettings): Iteration<Found> {
  const { batch, beams, limit } = settings;
  const rows = batch * beams;
  const scorer = new BeamScorer(settings);
  const steps: TensorValue[] = [];
  let sequences = startSequences(decoder.prompt, beams, limit);
  let logits = yield* decoder.begin();
  const vocabulary = vocabularyOf(c, settings.vocabulary, logits);
  const processors = settings.processors(vocabulary);
  let sums: Float32Array = first(rows, beams);
  for (let step = 1; ; step++) {
    const scores = lastLogits(logits, rows, vocabulary);
    if (step === 1) settings.observeFirst?.(scores, vocabulary);
    account()?.spend(scores.length);
    logSoftmaxRows(scores, vocabulary);
    process(scores, vocabulary, sequences, processors, step);
    addSums(scores, sums, vocabulary);
    if (settings.wantsScores) collect(steps, { type: 'float32', dims: [batch, beams, vocabulary], data: scores });
    const chosen = scorer.choose(sequences, scores);
    sums = chosen.scores;
    sequences = appended(sequences, chosen.tokens, chosen.sources);
    if (scorer.isDone || sequences.length === limit) break;
    logits = yield* decoder.step({ sequences, tokens: chosen.tokens, sources: chosen.sources });
  }
  const best = scorer.best(sequences, sums, settings.returned);
  return {
    sequences: filled(best, settings),
    scores: { type: 'float32', dims: [batch, settings.returned], data: Float32Array.from(best, ({ score }) => score) },
    steps: stacked(steps, [limit - (decoder.prompt.dims[1] as number), batch, beams, vocabulary]),
  };
}

function filled(
  best: readonly { readonly tokens: Int32Array }[],
  { batch, returned, limit, padToken }: SearchSettings,
): TensorValue {
  const data = new Int32Array(batch * returned * limit).fill(padToken);
  best.forEach(({ tokens }, i) => {
    data.set(tokens, i * limit);
  });
  return { type: 'int32', dims: [batch, returned, limit], data };
}

function stacked(steps: readonly TensorValue[], dims: readonly number[]): TensorValue {
  const data = new Float32Array(dims.reduce((n, d) => n * d, 1));
  steps.forEach((scores, i) => {
    data.set(scores.data as Float32Array, i * scores.data.length);
  });
  uncount(steps);
  return { type: 'float32', dims, data };
}
