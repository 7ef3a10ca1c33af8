import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';
import { crossWeightsOf, encoderAndDecoder, mask, one, shared } from '../generation.js';

/** The last tokens of the vocabulary, in the order of Whisper's: the end of the text, the start … and timestamps. */
const tokensFrom = (end: number) => ({
  eos_token_id: end,
  decoder_start_token_id: end + 1,
  translate_token_id: end + 2,
  transcribe_token_id: end + 3,
  start_of_lm_token_id: end + 4,
  no_speech_token_id: end + 5,
  no_timestamps_token_id: end + 6,
  beginning_timestamp_token_id: end + 7,
});

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const d = draw(1400 + i);
  const { int, pick, chance, floats } = d;
  const vocabulary = int(22, 26);
  const sizes = { vocabulary, hidden: 4, heads: pick([1, 2]), layers: 1 };
  const rows = int(1, 2);
  const beams = int(1, 4);
  const returned = int(1, beams);
  const begins = chance(0.6) ? int(1, 3) : 0;
  const limit = Math.max(begins, 1) + int(2, 8);
  const rules = i % 2;
  const attributes = {
    ...tokensFrom(9),
    pad_token_id: 1,
    model_type: 2,
    ...(chance(0.3) && { no_repeat_ngram_size: int(2, 3) }),
    ...(chance(0.5) && { early_stopping: 1 }),
    ...(chance(0.3) && { vocab_size: vocabulary }),
  };
  const start = Array.from({ length: rows * begins }, (_, k) => (k % begins ? int(2, vocabulary - 1) : 10));
  return {
    label: `${rows}×${begins} to ${limit}, ${beams} beams, ${returned} returned, rules ${rules}, ${Object.keys(attributes).slice(10)}`,
    attributes(b) {
      const form = { ...sizes, features: true, hiddenStates: i % 8 === 5 };
      return { ...attributes, ...encoderAndDecoder(b, crossWeightsOf(shared(b), d, sizes), form) };
    },
    inputs: [
      floats([rows, 4, int(1, 5)]),
      one('int32', limit),
      one('int32', chance(0.4) ? int(0, limit - 1) : 0),
      one('int32', beams),
      one('int32', returned),
      one('float32', pick([0, 0.5, 1, 2])),
      chance(0.4) ? one('float32', pick([0.5, 1.2, 2])) : null,
      chance(0.3) ? mask(d, [vocabulary]) : null,
      chance(0.3) ? mask(d, [rows, vocabulary], 0.5) : null,
      null,
      begins ? tensor('int32', [rows, begins], start) : null,
      rules || chance(0.5) ? one('int32', rules) : null,
      null,
      null,
      chance(0.5) ? one('float32', pick([0.3, 1, 2.5])) : null,
    ],
    constants: chance(0.5) ? [1, 3, 4] : [],
    outputs: pick([[0], [0, 1], [0, 1], [0, 1], [0, 1, 2]]),
  };
});

export const operator: OperatorCases = { op: 'WhisperBeamSearch', cases };
