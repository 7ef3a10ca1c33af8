import { type Dim, tensorType, type ValueType } from '../../graph/types.js';
import { int } from '../../schema/attributes.js';
import { defineOp, type Evaluation } from '../../schema/definition.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import {
  BEAM_ATTRIBUTES,
  type BeamAttributes,
  beamProcessors,
  beamsOf,
  beamTypes,
  searchBeams,
} from './generation/beam-node.js';
import { checkEncoderDecoder, encoderDecoder, WHISPER } from './generation/encoder-decoder.js';
import { type LogitsProcessor, temperature } from './generation/logits-processors.js';
import { checkRank, checkTokens, numberAt, numberWithin } from './generation/settings.js';
import { timestampRules } from './generation/timestamp-rules.js';

interface Attributes extends BeamAttributes {
  readonly beginning_timestamp_token_id: number;
  readonly no_timestamps_token_id: number;
  readonly start_of_lm_token_id: number;
  readonly transcribe_token_id: number;
  readonly translate_token_id: number;
}

/** What the decoder begins with: input 10, or its first token for each of the batch. */
function promptOf(c: Evaluation<Attributes>): TensorValue {
  if (c.given(10)) return c.tensor(10);
  const rows = c.tensor(0).dims[0] as number;
  const start = c.attributes.decoder_start_token_id;
  if (start < 0)
    c.fail('INVALID_ATTRIBUTE', 'needs decoder_input_ids, or the token decoder_start_token_id to begin with');
  return { type: 'int32', dims: [rows, 1], data: new Int32Array(rows).fill(start) };
}

/** Input 11 asks for rules by its number; 1 are those of timestamps. */
function whisperProcessors(c: Evaluation<Attributes>, vocabulary: number): LogitsProcessor[] {
  const { attributes } = c;
  const heat = numberAt(c, 14, 'temperature', 1);
  const rules = numberWithin(c, 11, 'logits_processor', 0, [0, Number.POSITIVE_INFINITY]);
  const tokens = {
    start: attributes.decoder_start_token_id,
    end: attributes.eos_token_id,
    translate: attributes.translate_token_id,
    transcribe: attributes.transcribe_token_id,
    languageModel: attributes.start_of_lm_token_id,
    noTimestamps: attributes.no_timestamps_token_id,
    firstTimestamp: attributes.beginning_timestamp_token_id,
  };
  return [
    ...beamProcessors(c, vocabulary),
    ...(heat > 0 ? [temperature(heat)] : []),
    ...(rules === 1 ? [timestampRules(tokens)] : []),
  ];
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.WhisperBeamSearch */
export const whisperBeamSearch = defineOp({
  domain: 'com.microsoft',
  name: 'WhisperBeamSearch',
  signature:
    'input_ids: F, max_length: I, min_length?: I, num_beams: I, num_return_sequences: I, length_penalty?: T, repetition_penalty?: T, vocab_mask?: M, prefix_vocab_mask?: M, attention_mask?: I, decoder_input_ids?: I, logits_processor?: I, cross_qk_layer_head?: I, extra_decoding_ids?: I, temperature?: T -> sequences: I, sequences_scores?: T, scores?: T, cross_qk?: V, non_speech_probs?: T',
  types: { F: ['float32', 'int32', 'float16'], I: ['int32'], M: ['int32'], T: ['float32', 'float16'], V: ['float32'] },
  attributes: {
    ...BEAM_ATTRIBUTES,
    beginning_timestamp_token_id: int(-1),
    decoder_output_cross_qk: int(0),
    model_type: int(2),
    no_speech_token_id: int(-1),
    no_timestamps_token_id: int(-1),
    start_of_lm_token_id: int(-1),
    transcribe_token_id: int(-1),
    translate_token_id: int(-1),
  },
  deterministic: false,
  infer(c) {
    checkTokens(c);
    if (c.attributes.model_type !== 2)
      c.fail('INVALID_ATTRIBUTE', `model_type must be 2, Whisper, not ${c.attributes.model_type}`);
    checkEncoderDecoder(c, WHISPER);
    checkRank(c, 0, 'input_ids', 'batch,features,frames');
    checkRank(c, 10, 'decoder_input_ids', 'batch,length');
    return beamTypes(c);
  },
  *iterate(c) {
    const prompt = promptOf(c);
    const decoder = encoderDecoder(c, WHISPER, { beams: beamsOf(c), encoded: [c.tensor(0)], given: [], prompt });
    return yield* searchBeams(c, decoder, { processors: (vocabulary) => whisperProcessors(c, vocabulary) });
  },
});
