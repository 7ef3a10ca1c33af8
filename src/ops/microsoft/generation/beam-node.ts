import type { Graph } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { graph, int } from '../../../schema/attributes.js';
import type { Evaluation, Inference, Iteration } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import type { HostValue } from '../../../tensor/tensor-value.js';
import { beamSearch, type SearchSettings } from './beam-search.js';
import type { Decoder } from './decoder.js';
import {
  type LogitsProcessor,
  minLength,
  noRepeatedNgrams,
  prefixMask,
  repetitionPenalty,
  vocabularyMask,
} from './logits-processors.js';
import { limitOf, numberAt, numberWithin, penaltyAt, tensorOfDims } from './settings.js';

export const BEAM_ATTRIBUTES = {
  decoder: graph.required,
  decoder_start_token_id: int(-1),
  early_stopping: int(0),
  encoder: graph(),
  eos_token_id: int.required,
  init_decoder: graph(),
  no_repeat_ngram_size: int(0),
  pad_token_id: int.required,
  vocab_size: int(-1),
};

export interface BeamAttributes {
  readonly decoder: Graph;
  readonly encoder: Graph | undefined;
  readonly init_decoder: Graph | undefined;
  readonly decoder_start_token_id: number;
  readonly early_stopping: number;
  readonly eos_token_id: number;
  readonly no_repeat_ngram_size: number;
  readonly pad_token_id: number;
  readonly vocab_size: number;
}

type Node = Inference<BeamAttributes>;

/** The largest num_beams, as in onnxruntime. */
const MAX_BEAMS = 128;

/** The type of the penalties, float32 or float16. */
const scoreType = (c: Node): ElementType => (c.given(5) ? c.element(5) : c.given(6) ? c.element(6) : 'float32');

/** Types of sequences, their scores and the scores of all steps. */
export function beamTypes(c: Node): ValueType[] {
  const known = (i: number): Size => c.sizes(i)?.[0] ?? c.unknown();
  const batch = c.dims(0)?.[0] ?? c.unknown();
  const element = scoreType(c);
  return [
    tensorType('int32', [batch, known(4), known(1)]),
    tensorType(element, [batch, known(4)]),
    tensorType(element, [c.unknown(), batch, known(3), c.unknown()]),
  ];
}

export const beamsOf = (c: Evaluation<BeamAttributes>): number => numberWithin(c, 3, 'num_beams', 1, [1, MAX_BEAMS]);

/** Logits processors for inputs 2, 6, 7 and 8 and the attributes, in onnxruntime's order. */
export function beamProcessors(c: Evaluation<BeamAttributes>, vocabulary: number): LogitsProcessor[] {
  const { eos_token_id, no_repeat_ngram_size } = c.attributes;
  const [batch = 0] = c.tensor(0).dims;
  const penalty = penaltyAt(c, 6);
  const allowed = tensorOfDims(c, 7, 'vocab_mask', [vocabulary]);
  const firstAllowed = tensorOfDims(c, 8, 'prefix_vocab_mask', [batch, vocabulary]);
  const least = numberAt(c, 2, 'min_length', 0);
  return [
    ...(penalty !== 1 ? [repetitionPenalty(penalty)] : []),
    ...(no_repeat_ngram_size > 0 ? [noRepeatedNgrams(no_repeat_ngram_size)] : []),
    ...(allowed ? [vocabularyMask(allowed.data as Int32Array)] : []),
    ...(firstAllowed ? [prefixMask(firstAllowed.data as Int32Array, beamsOf(c))] : []),
    ...(least > 0 ? [minLength(least, eos_token_id)] : []),
  ];
}

/** Runs beam search; returns the sequences, their scores and the scores of all steps. */
export function* searchBeams(
  c: Evaluation<BeamAttributes>,
  decoder: Decoder,
  { processors, observeFirst }: Pick<SearchSettings, 'processors' | 'observeFirst'>,
): Iteration<HostValue[]> {
  const beams = beamsOf(c);
  const { sequences, scores, steps } = yield* beamSearch(c, decoder, {
    batch: decoder.prompt.dims[0] as number,
    beams,
    returned: numberWithin(c, 4, 'num_return_sequences', 1, [1, beams]),
    lengthPenalty: numberAt(c, 5, 'length_penalty', 1),
    limit: limitOf(c, decoder.prompt.dims[1] as number),
    earlyStopping: c.attributes.early_stopping === 1,
    endToken: c.attributes.eos_token_id,
    padToken: c.attributes.pad_token_id,
    vocabulary: c.attributes.vocab_size,
    wantsScores: c.wanted(2),
    processors,
    ...(observeFirst && { observeFirst }),
  });
  const element = scoreType(c);
  return [sequences, ...[scores, steps].map((x) => tensorOf(element, x.dims, numbersOf(x)))];
}
