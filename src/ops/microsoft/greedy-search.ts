import { tensorType } from '../../graph/types.js';
import { defineOp } from '../../schema/definition.js';
import { padded } from './generation/greedy.js';
import { GREEDY_ATTRIBUTES, greedyProcessors, greedySizes, greedySearch as search } from './generation/greedy-node.js';

/** The likeliest token of each row; among equal scores the first. */
function likeliest(scores: Float32Array, vocabulary: number): number[] {
  return Array.from({ length: scores.length / vocabulary }, (_, row) => {
    const own = scores.subarray(row * vocabulary, (row + 1) * vocabulary);
    return own.reduce((best, score, i) => (score > (own[best] as number) ? i : best), 0);
  });
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.GreedySearch */
export const greedySearch = defineOp({
  domain: 'com.microsoft',
  name: 'GreedySearch',
  signature:
    'input_ids: I, max_length: I, min_length?: I, repetition_penalty?: T, vocab_mask?: I, prefix_vocab_mask?: I, attention_mask?: I -> sequences: I',
  types: { I: ['int32'], T: ['float32'] },
  attributes: GREEDY_ATTRIBUTES,
  deterministic: false,
  infer(c) {
    const { batch, limit } = greedySizes(c);
    return [tensorType('int32', [batch, limit])];
  },
  *iterate(c) {
    const { sequences } = yield* search(c, {
      processors: (vocabulary) => greedyProcessors(c, vocabulary),
      pick: likeliest,
    });
    return [padded(sequences, c.attributes.pad_token_id)];
  },
});
