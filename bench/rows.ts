import type { TOLERANCE } from './agreement.js';
import { type NamedTensor, type Random, randomFloats, randomIntegers } from './inputs.js';
import { kinds } from './kinds.js';
import { published } from './language/rows.js';

/** One model at one size. */
export interface Row {
  name: string;
  /** Folder of the model, in the Model Zoo's layout, or its bytes. */
  model: string | (() => Uint8Array);
  /** Makes the inputs. Without it, uses the model's first stored data set, and compares with its outputs. */
  inputs?: (random: Random) => NamedTensor[];
  /** The requested outputs; all by default. */
  fetches?: string[];
  /** How outputs are compared: as numbers by default; boxes, scores and labels as detections. */
  outputs?: keyof typeof TOLERANCE;
}

/** The rows of README's table. */
export const networks: Row[] = [
  { name: 'squeezenet1_1', model: 'squeezenet1_1' },
  { name: 'mobilenet_v2', model: 'mobilenet_v2' },
  { name: 'mobilenet_v3_small', model: 'mobilenet_v3_small' },
  { name: 'resnet18', model: 'resnet18' },
  { name: 'resnet50', model: 'resnet50' },
  { name: 'efficientnet_b0', model: 'efficientnet_b0' },
  { name: 'vit_tiny6', model: 'vit_tiny6' },
  { name: 'bert_mini seq 128', model: 'bert_mini', inputs: (random) => bert(random, 128) },
  { name: 'gpt_mini 1 on 128', model: 'gpt_mini', inputs: (random) => gpt(random, 128) },
  { name: 'lstm 64 steps', model: 'lstm', inputs: (random) => [randomIntegers('ids', [1, 64], 500, random)] },
  { name: 'gru 64 steps', model: 'gru', inputs: (random) => [randomIntegers('ids', [1, 64], 500, random)] },
  { name: 'unet_small 128²', model: 'unet_small' },
  { name: 'ssdlite320', model: 'ssdlite320', outputs: 'detections' },
  { name: 'digits', model: 'digits_cnn_trained' },
  ...[1, 100, 1000].map((batch) => forest(batch)),
];

/** Also rows for rarer kinds of layers, and published models of language and speech, which run only if named. */
export const rows: Row[] = [...networks, ...kinds, ...published];

/** 60 trees on the pixels of digits, without the map outputs that onnxruntime-web does not support. */
function forest(batch: number): Row {
  const pixels = (random: Random) => randomIntegers('', [batch, 64], 17, random).data as BigInt64Array;
  return {
    name: `forest, batch ${batch}`,
    model: 'forest_trained',
    inputs: (random) => [
      { name: 'X', type: 'float32', dims: [batch, 64], data: Float32Array.from(pixels(random), Number) },
    ],
    fetches: ['label', 'probabilities'],
  };
}

export const bert = (random: Random, length: number): NamedTensor[] => [
  randomIntegers('input_ids', [1, length], 4000, random),
  { name: 'attention_mask', type: 'int64', dims: [1, length], data: new BigInt64Array(length).fill(1n) },
  { name: 'token_type_ids', type: 'int64', dims: [1, length], data: new BigInt64Array(length) },
];

/** Inputs for one new token after `past` cached ones: 4 layers, 4 heads of 64. */
export const gpt = (random: Random, past: number): NamedTensor[] => [
  randomIntegers('input_ids', [1, 1], 4000, random),
  ...[0, 1, 2, 3].flatMap((layer) =>
    ['key', 'value'].map((part) => randomFloats(`past_${layer}_${part}`, [1, 4, past, 64], random)),
  ),
];
