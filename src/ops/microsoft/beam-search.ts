import { int } from '../../schema/attributes.js';
import { defineOp, type Evaluation, type Inference } from '../../schema/definition.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import {
  BEAM_ATTRIBUTES,
  type BeamAttributes,
  beamProcessors,
  beamsOf,
  beamTypes,
  searchBeams,
} from './generation/beam-node.js';
import type { Decoder } from './generation/decoder.js';
import { checkEncoderDecoder, encoderDecoder, T5, WHISPER, whisperDecoder } from './generation/encoder-decoder.js';
import { checkGpt, gptDecoder } from './generation/gpt-decoder.js';
import { checkRank, checkTokens, limitOf, numberWithin, tensorOfDims } from './generation/settings.js';

/** A model type: checks its subgraphs and runs them. */
interface Kind {
  check(c: Inference<BeamAttributes>): void;
  open(c: Evaluation<BeamAttributes>): Decoder;
}

function checkTokenIds(c: Inference<BeamAttributes>): void {
  checkRank(c, 0, 'input_ids', 'batch,length');
  if (c.element(0) !== 'int32') c.fail('INVALID_TYPE', `input_ids must be int32, not ${c.element(0)}`);
}

const decoderOnly: Kind = {
  check: (c) => {
    checkTokenIds(c);
    checkGpt(c);
  },
  open(c) {
    const { dims } = c.tensor(0);
    const mask = tensorOfDims(c, 9, 'attention_mask', dims);
    const limit = limitOf(c, dims[1] as number);
    return gptDecoder(c, { beams: beamsOf(c), padToken: c.attributes.pad_token_id, limit, mask });
  },
};

/** Masks padding at the left only: a padding token further on may be the end of the sentence. */
function leftMask({ dims, data }: TensorValue, padToken: number): TensorValue {
  const length = dims[1] as number;
  const mask = new Int32Array(data.length).fill(1);
  for (let row = 0; row < mask.length; row += length)
    for (let i = row; i < row + length && data[i] === padToken; i++) mask[i] = 0;
  return { type: 'int32', dims, data: mask };
}

const withEncoder: Kind = {
  check: (c) => {
    checkTokenIds(c);
    if (c.attributes.decoder_start_token_id < 0)
      c.fail('INVALID_ATTRIBUTE', 'decoder_start_token_id must be set for a model with an encoder and a decoder');
    checkEncoderDecoder(c, T5);
  },
  open(c) {
    const ids = c.tensor(0);
    const { decoder_start_token_id: start, pad_token_id } = c.attributes;
    const mask = tensorOfDims(c, 9, 'attention_mask', ids.dims) ?? leftMask(ids, pad_token_id);
    const rows = ids.dims[0] as number;
    const prompt: TensorValue = { type: 'int32', dims: [rows, 1], data: new Int32Array(rows).fill(start) };
    return encoderDecoder(c, T5, {
      beams: beamsOf(c),
      limit: limitOf(c, 1),
      encoded: [ids, mask],
      prompt,
    });
  },
};

const whisper: Kind = {
  check: (c) => {
    checkRank(c, 0, 'input_ids', 'batch,features,frames');
    checkRank(c, 10, 'decoder_input_ids', 'batch,length');
    checkEncoderDecoder(c, WHISPER);
  },
  open(c) {
    // Other values select token rules that only WhisperBeamSearch has attributes for.
    numberWithin(c, 11, 'logits_processor', 0, [0, 0]);
    return whisperDecoder(c, beamsOf(c));
  },
};

const KINDS: readonly Kind[] = [decoderOnly, withEncoder, whisper];

const kindOf = (c: Inference<BeamAttributes & { readonly model_type: number }>): Kind =>
  KINDS[c.attributes.model_type] ??
  c.fail(
    'INVALID_ATTRIBUTE',
    `model_type must be 0 (decoder), 1 (encoder and decoder) or 2 (Whisper), not ${c.attributes.model_type}`,
  );

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.BeamSearch */
export const beamSearch = defineOp({
  domain: 'com.microsoft',
  name: 'BeamSearch',
  signature:
    'input_ids: F, max_length: I, min_length?: I, num_beams: I, num_return_sequences: I, length_penalty?: T, repetition_penalty?: T, vocab_mask?: M, prefix_vocab_mask?: M, attention_mask?: I, decoder_input_ids?: I, logits_processor?: I -> sequences: I, sequences_scores?: T, scores?: T',
  types: { F: ['int32', 'float32', 'float16'], I: ['int32'], M: ['int32'], T: ['float32', 'float16'] },
  attributes: { ...BEAM_ATTRIBUTES, model_type: int(0) },
  deterministic: false,
  infer(c) {
    checkTokens(c);
    kindOf(c).check(c);
    return beamTypes(c);
  },
  *iterate(c) {
    return yield* searchBeams(c, kindOf(c).open(c), { processors: (vocabulary) => beamProcessors(c, vocabulary) });
  },
});
