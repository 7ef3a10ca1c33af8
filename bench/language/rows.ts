import type { Model } from '../../src/graph/graph.js';
import { writeModel } from '../../src/model/write-model.js';
import { bert } from '../../test/layouts/bert.js';
import { converted, type Dtype } from '../../test/layouts/dtypes/index.js';
import { MINILM, WHISPER_BASE } from '../../test/layouts/published.js';
import { speaker, whisperEncoder } from '../../test/layouts/whisper.js';
import { type NamedTensor, type Random, randomFloats, randomIntegers } from '../inputs.js';
import type { Row } from '../rows.js';

const DTYPES: readonly Dtype[] = ['fp32', 'fp16', 'q8'];

const { width, heads, layers, melBins, seconds } = WHISPER_BASE;
const HEARD = seconds * 50;
const SAID = 64;

/** Encoders of text and speech, and a decoder of speech, in published sizes. */
export const published: Row[] = [
  ...inEachDtype('all-MiniLM-L6 seq 128', () => bert(MINILM), sentence),
  ...inEachDtype(
    'whisper-base encoder',
    () => whisperEncoder(WHISPER_BASE),
    (random) => [randomFloats('input_features', [1, melBins, 2 * HEARD], random)],
  ),
  ...inEachDtype(`whisper-base decoder 1 on ${SAID}`, () => speaker(WHISPER_BASE), token),
];

function inEachDtype(name: string, make: () => Model, inputs: NonNullable<Row['inputs']>): Row[] {
  return DTYPES.map((dtype) => ({
    name: `${name} ${dtype}`,
    model: () => writeModel(converted(make(), dtype)),
    inputs,
    ...(dtype === 'q8' && { outputs: 'rounded activations' as const }),
  }));
}

function sentence(random: Random): NamedTensor[] {
  const length = 128;
  return [
    randomIntegers('input_ids', [1, length], MINILM.vocabulary, random),
    { name: 'attention_mask', type: 'int64', dims: [1, length], data: new BigInt64Array(length).fill(1n) },
    { name: 'token_type_ids', type: 'int64', dims: [1, length], data: new BigInt64Array(length) },
  ];
}

function token(random: Random): NamedTensor[] {
  const cache = (layer: number, part: string, length: number) =>
    randomFloats(`past_key_values.${layer}.${part}`, [1, heads, length, width / heads], random);
  return [
    randomIntegers('input_ids', [1, 1], WHISPER_BASE.vocabulary, random),
    randomFloats('encoder_hidden_states', [1, HEARD, width], random),
    { name: 'use_cache_branch', type: 'bool', dims: [1], data: Uint8Array.of(1) },
    ...Array.from({ length: layers }, (_, i) =>
      ['key', 'value'].flatMap((part) => [cache(i, `decoder.${part}`, SAID), cache(i, `encoder.${part}`, HEARD)]),
    ).flat(),
  ];
}
