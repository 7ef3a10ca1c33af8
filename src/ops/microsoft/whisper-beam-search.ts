import type { Size } from '../../graph/sizes.js';
import { type TensorType, tensorType, type ValueType } from '../../graph/types.js';
import { int } from '../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../schema/definition.js';
import { requireDims } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import {
  BEAM_ATTRIBUTES,
  type BeamAttributes,
  beamProcessors,
  beamsOf,
  beamTypes,
  searchBeams,
} from './generation/beam-node.js';
import { CrossScores, type Heads } from './generation/cross-scores.js';
import { logSoftmaxRows } from './generation/decoder.js';
import { checkEncoderDecoder, WHISPER, whisperDecoder } from './generation/encoder-decoder.js';
import { forcedTokens, type LogitsProcessor, temperature } from './generation/logits-processors.js';
import { checkRank, checkTokens, numberAt, numberWithin, tensorOfDims } from './generation/settings.js';
import { timestampRules } from './generation/timestamp-rules.js';

interface Attributes extends BeamAttributes {
  readonly beginning_timestamp_token_id: number;
  readonly decoder_output_cross_qk: number;
  readonly no_speech_token_id: number;
  readonly no_timestamps_token_id: number;
  readonly start_of_lm_token_id: number;
  readonly transcribe_token_id: number;
  readonly translate_token_id: number;
}

/** Processor for input 13, the tokens that must follow the prompt. */
function forced(c: Evaluation<Attributes>): LogitsProcessor[] {
  if (!c.given(13)) return [];
  const { dims, data } = c.tensor(13);
  tensorOfDims(c, 13, 'extra_decoding_ids', [c.tensor(0).dims[0] as number, dims[1] ?? 0]);
  return [forcedTokens(data as Int32Array, dims[1] as number, beamsOf(c))];
}

/** Logits processors. Input 11 selects token rules; 1 selects the timestamp rules. */
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
    ...forced(c),
    ...(heat > 0 ? [temperature(heat)] : []),
    ...(rules === 1 ? [timestampRules(tokens)] : []),
  ];
}

/** Probability of no speech per batch element, by the first logits [batch·beams,vocabulary]. */
function silenceOf(c: Evaluation<Attributes>, logits: Float32Array, vocabulary: number, beams: number): number[] {
  const token = c.attributes.no_speech_token_id;
  if (!(token >= 0 && token < vocabulary))
    c.fail(
      'INVALID_ATTRIBUTE',
      `no_speech_token_id must be from 0 to ${vocabulary - 1} for non_speech_probs, not ${token}`,
    );
  const logs = logits.slice();
  logSoftmaxRows(logs, vocabulary);
  const rows = logs.length / vocabulary / beams;
  return Array.from({ length: rows }, (_, b) => Math.exp(logs[b * beams * vocabulary + token] as number));
}

/** Checks that the decoder returns cross-attention scores per layer after its caches, if decoder_output_cross_qk is set. */
function checkCrossScores(c: Inference<Attributes>, layers: number): void {
  const given = c.attributes.decoder.outputs.length - 1 - 2 * layers;
  const needed = c.attributes.decoder_output_cross_qk ? layers : 0;
  if (given !== needed)
    c.fail(
      'INVALID_GRAPH',
      `its decoder has ${given} outputs after the caches; decoder_output_cross_qk needs ${needed}, one per layer if it is not 0`,
    );
}

function crossScores(
  c: Evaluation<Attributes>,
  cross: CrossScores,
  sequences: TensorValue,
  prompt: number,
): TensorValue {
  const { layers, heads, frames } = cross.sizes;
  const pairs: Heads = c.given(12) ? pairsOf(c.tensor(12)) : everyHead(layers, heads);
  const wrong = pairs.find(
    ([layer, head]) => layers > 0 && !(layer >= 0 && layer < layers && head >= 0 && head < heads),
  );
  if (wrong)
    c.fail(
      'INVALID_VALUE',
      `cross_qk_layer_head names layer ${wrong[0]}, head ${wrong[1]}; there are ${layers} of ${heads}`,
    );
  return cross.of(sequences, prompt, pairs, frames);
}

const pairsOf = ({ dims, data }: TensorValue): Heads =>
  Array.from({ length: dims[0] as number }, (_, i) => [data[2 * i] as number, data[2 * i + 1] as number]);

const everyHead = (layers: number, heads: number): Heads =>
  Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads]);

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
      c.fail('INVALID_ATTRIBUTE', `model_type must be 2 (Whisper), not ${c.attributes.model_type}`);
    checkCrossScores(c, checkEncoderDecoder(c, WHISPER));
    checkRank(c, 0, 'input_ids', 'batch,features,frames');
    checkRank(c, 10, 'decoder_input_ids', 'batch,length');
    if (c.given(10)) requireDims(c, 10, [c.dims(0)?.[0], c.dims(10)?.[1]]);
    checkRank(c, 12, 'cross_qk_layer_head', 'pairs,2');
    checkRank(c, 13, 'extra_decoding_ids', 'batch,length');
    const [sequences, scores, steps] = beamTypes(c);
    const [batch, returned] = (sequences as TensorType).dims as readonly Size[];
    return [
      sequences as ValueType,
      scores as ValueType,
      steps as ValueType,
      tensorType('float32', [batch as Size, returned as Size, c.unknown(), c.unknown(), c.unknown()]),
      tensorType((scores as TensorType).element, [batch as Size]),
    ];
  },
  *iterate(c) {
    const beams = beamsOf(c);
    const cross = new CrossScores(beams);
    const wantsCross = c.wanted(3) && c.attributes.decoder_output_cross_qk !== 0;
    const observe = wantsCross ? cross.record.bind(cross) : undefined;
    const decoder = whisperDecoder(c, beams, observe);
    let silence: number[] = [];
    const [sequences, scores, steps] = yield* searchBeams(c, decoder, {
      processors: (vocabulary) => whisperProcessors(c, vocabulary),
      observeFirst(logits, vocabulary) {
        if (c.wanted(4)) silence = silenceOf(c, logits, vocabulary, beams);
      },
    });
    return [
      sequences as TensorValue,
      scores as TensorValue,
      steps as TensorValue,
      wantsCross ? crossScores(c, cross, sequences as TensorValue, decoder.prompt.dims[1] as number) : null,
      tensorOf((scores as TensorValue).type, [silence.length], silence),
    ];
  },
});
