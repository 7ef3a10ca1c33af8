import { type Case, draw, type OperatorCases } from '../case.js';
import { gpt, mask, one, prompt, shared, weightsOf } from '../generation.js';

/** All rows of these end before their limit; onnxruntime leaves what follows as it finds it. */
const END_EARLY: readonly number[] = [9];

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const d = draw(1200 + i);
  const { int, pick, chance } = d;
  const vocabulary = int(20, 23);
  const sizes = { vocabulary, hidden: 4, heads: pick([1, 2]), layers: 1 };
  const rows = int(1, 3);
  const length = int(1, 4);
  const limit = length + int(1, 7);
  const pad = 1;
  const attributes = {
    eos_token_id: i % 3 === 0 ? int(2, vocabulary - 1) : 0,
    pad_token_id: pad,
    ...(i % 5 ? { top_p: pick([0.3, 0.7, 0.9]) } : { min_tokens_to_keep: 1 }),
    ...(chance(0.5) && { temperature: pick([0.5, 1.5, 3.5]) }),
    ...(chance(0.4) && { custom: 1 }),
    ...(chance(0.4) && { filter_value: pick([-30.5, -1.5]) }),
    ...(i % 5 > 2 && { min_tokens_to_keep: int(1, 4) }),
    ...(chance(0.3) && { no_repeat_ngram_size: int(1, 3) }),
    ...(chance(0.3) && { vocab_size: vocabulary }),
  };
  return {
    label: `${rows}×${length} to ${limit}, ${Object.keys(attributes)}`,
    attributes(b) {
      const weights = weightsOf(shared(b), d, sizes);
      return {
        ...attributes,
        decoder: gpt(b, 'decoder', weights, sizes),
        ...(i % 7 === 6 && { init_decoder: gpt(b, 'init_decoder', weights, sizes, 'Sigmoid') }),
      };
    },
    inputs: [
      prompt(d, rows, length, vocabulary, chance(0.5) ? pad : undefined),
      one('int32', limit),
      chance(0.4) ? one('int32', int(0, limit - 1)) : null,
      chance(0.4) ? one('float32', pick([0.5, 1.2, 2])) : null,
      chance(0.3) ? mask(d, [vocabulary]) : null,
      chance(0.3) ? mask(d, [rows, vocabulary], 0.5) : null,
      chance(0.3) ? mask(d, [rows, length]) : null,
      null,
      chance(0.8) ? one('int32', int(0, 100000)) : null,
    ],
    constants: chance(0.5) ? [1] : [],
  };
});

export const operator: OperatorCases = {
  op: 'Sampling',
  cases: cases.filter((_, i) => !END_EARLY.includes(i)),
  tolerance: { relative: 0, absolute: 0 },
};
