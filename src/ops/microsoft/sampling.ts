import { tensorType } from '../../graph/types.js';
import { float, int } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { padded } from './generation/greedy.js';
import { GREEDY_ATTRIBUTES, greedyProcessors, greedySearch, greedySizes } from './generation/greedy-node.js';
import { presencePenalty, temperature } from './generation/logits-processors.js';
import { minimalStandard } from './generation/minimal-standard.js';
import { numberWithin, tensorOfDims } from './generation/settings.js';
import { drawn, filterBeyond, filterLeast } from './generation/top-p.js';

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.Sampling: tokens are drawn as
 * onnxruntime draws them on Linux.
 */
export const sampling = defineOp({
  domain: 'com.microsoft',
  name: 'Sampling',
  signature:
    'input_ids: I, max_length: I, min_length?: I, repetition_penalty?: T, vocab_mask?: I, prefix_vocab_mask?: I, attention_mask?: I, presence_mask?: I, seed?: I -> sequences: I, filtered_logits?: T',
  types: { I: ['int32'], T: ['float32'] },
  attributes: {
    ...GREEDY_ATTRIBUTES,
    custom: int(0),
    filter_value: float(-1e20),
    min_tokens_to_keep: int(0),
    presence_penalty: float(0),
    temperature: float(1),
    top_p: float(0),
  },
  deterministic: false,
  infer(c) {
    const { batch, limit } = greedySizes(c);
    return [tensorType('int32', [batch, limit]), tensorType('float32', [batch, c.unknown()])];
  },
  *iterate(c) {
    const { custom, filter_value, min_tokens_to_keep, top_p, pad_token_id } = c.attributes;
    const uniform = minimalStandard(numberWithin(c, 8, 'seed', 0, [0, Number.POSITIVE_INFINITY]));
    const filter = custom ? filterBeyond : filterLeast;
    const settings = { topP: top_p, filterValue: filter_value, minTokens: min_tokens_to_keep };
    const { sequences, scores } = yield* greedySearch(c, {
      processors(vocabulary) {
        const { temperature: heat, presence_penalty } = c.attributes;
        const present = tensorOfDims(c, 7, 'presence_mask', [c.tensor(0).dims[0] as number, vocabulary]);
        return [
          ...greedyProcessors(c, vocabulary),
          ...(heat > 0 ? [temperature(heat)] : []),
          ...(present ? [presencePenalty(present.data as Int32Array, presence_penalty)] : []),
        ];
      },
      pick: (scores, vocabulary) =>
        Array.from({ length: scores.length / vocabulary }, (_, row) => {
          const own = scores.subarray(row * vocabulary, (row + 1) * vocabulary);
          filter(own, settings);
          return drawn(own, uniform());
        }),
    });
    return [padded(sequences, pad_token_id), scores];
  },
});
