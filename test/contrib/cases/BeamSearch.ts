import { type Case, draw, type OperatorCases } from '../case.js';
import { crossWeightsOf, encoderAndDecoder, gpt, mask, one, prompt, shared, weightsOf } from '../generation.js';

/** Inputs 2 and 5, which may be left out, are always there: onnxruntime insists on them. */
const cases = Array.from({ length: 30 }, (_, i): Case => {
  const d = draw(1300 + i);
  const { int, pick, chance } = d;
  const encoderTokens = i >= 24;
  const kind = encoderTokens ? 1 : i % 8 === 7 ? 2 : i % 2;
  const vocabulary = int(20, 22);
  const sizes = { vocabulary, hidden: 4, heads: pick([1, 2]), layers: 1 };
  const rows = int(1, 2);
  const length = int(1, 5);
  const beams = int(1, 4);
  const returned = int(1, beams);
  const limit = (kind === 0 ? length : 3) + int(1, 6);
  const pad = 1;
  const attributes = {
    eos_token_id: i % 3 === 0 ? int(2, vocabulary - 1) : 0,
    pad_token_id: pad,
    model_type: kind,
    ...(kind > 0 && { decoder_start_token_id: int(2, vocabulary - 1) }),
    ...(chance(0.4) && { no_repeat_ngram_size: int(1, 3) }),
    ...(chance(0.5) && { early_stopping: 1 }),
    ...(chance(0.3) && { vocab_size: vocabulary }),
  };
  const alone = i % 8 === 3;
  return {
    label: `${rows}×${length} to ${limit}, ${beams} beams, ${returned} returned, ${Object.keys(attributes).slice(3)}${alone ? ', alone' : ''}${encoderTokens ? ', tokens of the encoder' : ''}`,
    attributes(b) {
      if (kind > 0) {
        const form = { ...sizes, features: kind === 2, alone, hiddenStates: i % 8 === 5, encoderTokens };
        return { ...attributes, ...encoderAndDecoder(b, crossWeightsOf(shared(b), d, sizes), form) };
      }
      const weights = weightsOf(shared(b), d, sizes);
      return {
        ...attributes,
        decoder: gpt(b, 'decoder', weights, sizes),
        ...(i % 6 === 4 && { init_decoder: gpt(b, 'init_decoder', weights, sizes, 'Sigmoid') }),
      };
    },
    inputs: [
      kind === 2 ? d.floats([rows, 4, length]) : prompt(d, rows, length, vocabulary, chance(0.5) ? pad : undefined),
      one('int32', limit),
      one('int32', chance(0.4) ? int(0, limit - 1) : 0),
      one('int32', beams),
      one('int32', returned),
      one('float32', pick([0, 0.5, 1, 2])),
      chance(0.4) ? one('float32', pick([0.5, 1.2, 2])) : null,
      chance(0.3) ? mask(d, [vocabulary]) : null,
      chance(0.3) ? mask(d, [rows, vocabulary], 0.5) : null,
      chance(0.3) && kind < 2 ? mask(d, [rows, length]) : null,
      ...(kind === 2 && chance(0.5) ? [prompt(d, rows, 2, vocabulary)] : []),
    ],
    constants: chance(0.5) ? [1, 3, 4] : [],
    outputs: pick([[0], [0, 1], [0, 1], [0, 1], [0, 1, 2]]),
  };
});

export const operator: OperatorCases = { op: 'BeamSearch', cases };
