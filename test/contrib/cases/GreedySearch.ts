import { type Case, draw, type OperatorCases } from '../case.js';
import { gpt, mask, one, prompt, shared, weightsOf } from '../generation.js';

/** All rows of these end before their limit; onnxruntime leaves what follows as it finds it. */
const END_EARLY: readonly number[] = [5];

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const d = draw(1100 + i);
  const { int, pick, chance } = d;
  const vocabulary = int(20, 23);
  const sizes = { vocabulary, hidden: 4, heads: pick([1, 2]), layers: i % 8 === 7 ? 2 : 1 };
  const rows = int(1, 3);
  const length = int(1, 5);
  const limit = length + int(1, 6);
  const pad = 1;
  const attributes = {
    eos_token_id: i % 3 === 0 ? int(2, vocabulary - 1) : 0,
    pad_token_id: pad,
    ...(chance(0.4) && { no_repeat_ngram_size: int(1, 3) }),
    ...(chance(0.3) && { vocab_size: vocabulary }),
    ...(chance(0.3) && { model_type: 0 }),
    ...(chance(0.3) && { decoder_start_token_id: -1 }),
  };
  return {
    label: `${rows}×${length} to ${limit}, ${Object.keys(attributes)}`,
    attributes(b) {
      const weights = weightsOf(shared(b), d, sizes);
      return {
        ...attributes,
        decoder: gpt(b, 'decoder', weights, sizes),
        ...(i % 6 === 5 && { init_decoder: gpt(b, 'init_decoder', weights, sizes, 'Sigmoid') }),
      };
    },
    inputs: [
      prompt(d, rows, length, vocabulary, chance(0.5) ? pad : undefined),
      one('int32', limit),
      chance(0.5) ? one('int32', int(0, limit - 1)) : null,
      chance(0.5) ? one('float32', pick([0.5, 1.2, 2])) : null,
      chance(0.4) ? mask(d, [vocabulary]) : null,
      chance(0.4) ? mask(d, [rows, vocabulary], 0.5) : null,
      chance(0.4) ? mask(d, [rows, length]) : null,
    ],
    constants: chance(0.5) ? [1] : [],
  };
});

export const operator: OperatorCases = {
  op: 'GreedySearch',
  cases: cases.filter((_, i) => !END_EARLY.includes(i)),
  tolerance: { relative: 0, absolute: 0 },
};
