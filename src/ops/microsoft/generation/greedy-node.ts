import type { Graph } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { graph, int } from '../../../schema/attributes.js';
import type { Evaluation, Inference } from '../../../schema/definition.js';
import { checkGpt, gptDecoder } from './gpt-decoder.js';
import { type GreedySettings, generate } from './greedy.js';
import {
  type LogitsProcessor,
  minLength,
  noRepeatedNgrams,
  prefixMask,
  repetitionPenalty,
  vocabularyMask,
} from './logits-processors.js';
import { checkRank, checkTokens, limitOf, numberAt, penaltyAt, tensorOfDims } from './settings.js';

export const GREEDY_ATTRIBUTES = {
  decoder: graph.required,
  decoder_start_token_id: int(-1),
  encoder: graph(),
  eos_token_id: int.required,
  init_decoder: graph(),
  model_type: int(0),
  no_repeat_ngram_size: int(0),
  pad_token_id: int.required,
  vocab_size: int(-1),
};

interface Attributes {
  readonly decoder: Graph;
  readonly init_decoder: Graph | undefined;
  readonly eos_token_id: number;
  readonly pad_token_id: number;
  readonly model_type: number;
  readonly no_repeat_ngram_size: number;
  readonly vocab_size: number;
}

/** Checks the node and its subgraphs; returns the shape of the sequences. */
export function greedySizes(c: Inference<Attributes>): { batch: Size; limit: Size } {
  checkTokens(c);
  const { model_type } = c.attributes;
  if (model_type !== 0)
    c.fail('INVALID_ATTRIBUTE', `model_type must be 0 (decoder), not ${model_type}; BeamSearch supports others`);
  checkGpt(c);
  checkRank(c, 0, 'input_ids', 'batch,length');
  return { batch: c.dims(0)?.[0] ?? c.unknown(), limit: c.sizes(1)?.[0] ?? c.unknown() };
}

/** Logits processors for inputs 2 to 6 and the attributes, in onnxruntime's order. */
export function greedyProcessors(c: Evaluation<Attributes>, vocabulary: number): LogitsProcessor[] {
  const { eos_token_id, no_repeat_ngram_size } = c.attributes;
  const [batch = 0] = c.tensor(0).dims;
  const penalty = penaltyAt(c, 3);
  const allowed = tensorOfDims(c, 4, 'vocab_mask', [vocabulary]);
  const first = tensorOfDims(c, 5, 'prefix_vocab_mask', [batch, vocabulary]);
  const least = numberAt(c, 2, 'min_length', 0);
  return [
    ...(penalty !== 1 ? [repetitionPenalty(penalty)] : []),
    ...(no_repeat_ngram_size > 0 ? [noRepeatedNgrams(no_repeat_ngram_size)] : []),
    ...(allowed ? [vocabularyMask(allowed.data as Int32Array)] : []),
    ...(first ? [prefixMask(first.data as Int32Array, 1)] : []),
    ...(least > 0 ? [minLength(least, eos_token_id)] : []),
  ];
}

/** The part of the search that does not depend on how tokens are picked, with a decoder like GPT-2's. */
export function greedySearch(
  c: Evaluation<Attributes>,
  { processors, pick }: Pick<GreedySettings, 'processors' | 'pick'>,
) {
  const { eos_token_id: endToken, pad_token_id: padToken, vocab_size: vocabulary } = c.attributes;
  const { dims } = c.tensor(0);
  const limit = limitOf(c, dims[1] as number);
  const mask = tensorOfDims(c, 6, 'attention_mask', dims);
  const decoder = gptDecoder(c, { beams: 1, padToken, limit, mask });
  return generate(c, decoder, { limit, endToken, padToken, vocabulary, processors, pick });
}
