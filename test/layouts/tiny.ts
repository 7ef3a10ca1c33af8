import { sentenceEncoder } from './bert.js';
import { detector } from './detr.js';
import type { Dtype } from './dtypes/index.js';
import { kokoroRepository } from './kokoro.js';
import { languageModel } from './language-model.js';
import { moonshine } from './moonshine.js';
import type { Repository } from './repository.js';
import { realTimeDetector } from './rt-detr.js';
import { sam } from './sam.js';
import { captioner, clipRepository } from './vision.js';
import { whisper } from './whisper.js';

/** A published layout with few and small layers, and the task and dtypes that it is run for. */
export interface Layout {
  readonly model: string;
  readonly task: string;
  readonly dtypes: readonly Dtype[];
  readonly repository: Repository;
  /** Pixels of the pictures that it sees. */
  readonly side?: number;
}

const STANDARD: readonly Dtype[] = ['fp32', 'fp16', 'q8'];
const ALL: readonly Dtype[] = [...STANDARD, 'q4', 'bnb4', 'q4f16'];

const DECODER = {
  vocabulary: 320,
  width: 64,
  inner: 96,
  layers: 2,
  heads: 4,
  sharedHeads: 2,
  size: 16,
  positions: 256,
  base: 10000,
};

const BLOCKS = { width: 32, inner: 64, heads: 4, layers: 2 };
const VISION = { ...BLOCKS, side: 16, patch: 4 };

const BERT = { vocabulary: 320, width: 32, inner: 64, heads: 4, layers: 2, positions: 64 };

export const LAYOUTS: readonly Layout[] = [
  {
    ...{ model: 'smol', task: 'text-generation', dtypes: ALL },
    repository: languageModel({ ...DECODER, type: 'llama', rotary: 'outside' }),
  },
  {
    ...{ model: 'qwen', task: 'text-generation', dtypes: ALL },
    repository: languageModel({ ...DECODER, type: 'qwen2', rotary: 'inside' }, 6),
  },
  {
    ...{ model: 'tied', task: 'text-generation', dtypes: ['fp32', 'q4', 'q4f16'] },
    repository: languageModel({ ...DECODER, type: 'llama', rotary: 'inside', isTied: true }, 7),
  },
  {
    ...{ model: 'whisper', task: 'automatic-speech-recognition', dtypes: ALL },
    repository: whisper({
      ...{ vocabulary: 320, width: 32, inner: 64, heads: 4, layers: 2 },
      ...{ melBins: 16, seconds: 1, targets: 64 },
    }),
  },
  {
    ...{ model: 'moonshine', task: 'automatic-speech-recognition', dtypes: ALL },
    repository: moonshine({ ...BLOCKS, vocabulary: 320, turned: 4, targets: 64 }),
  },
  {
    ...{ model: 'kokoro', task: 'text-to-speech', dtypes: ALL },
    repository: kokoroRepository({
      reader: { ...BLOCKS, vocabulary: 320, embedding: 16, positions: 64 },
      vocoder: {
        ...{ width: 32, style: 16, channels: 32, residual: 8 },
        ...{ rates: [2, 2], kernels: [4, 4], window: 20, hop: 5, samples: 1024 },
      },
      layers: 2,
      frames: 2,
    }),
  },
  {
    ...{ model: 'sentences', task: 'feature-extraction', dtypes: ALL },
    repository: sentenceEncoder(BERT),
  },
  {
    ...{ model: 'reranker', task: 'text-classification', dtypes: ALL },
    repository: sentenceEncoder(BERT, { labels: 1 }),
  },
  {
    ...{ model: 'clip', task: 'zero-shot-image-classification', dtypes: ALL, side: VISION.side },
    repository: clipRepository({ vision: VISION, text: { ...BLOCKS, vocabulary: 320, positions: 64 }, shared: 24 }),
  },
  {
    ...{ model: 'captioner', task: 'image-to-text', dtypes: ALL, side: VISION.side },
    repository: captioner(VISION, { ...BLOCKS, vocabulary: 320, targets: 64 }),
  },
  {
    ...{ model: 'detector', task: 'object-detection', dtypes: ALL, side: 32 },
    repository: detector({ ...BLOCKS, queries: 12, labels: 5, side: 32 }),
  },
  {
    ...{ model: 'rt-detector', task: 'object-detection', dtypes: [...STANDARD, 'q4', 'bnb4'], side: 64 },
    repository: realTimeDetector({ ...BLOCKS, queries: 12, labels: 6, points: 4, side: 64 }),
  },
  {
    ...{ model: 'segmenter', task: 'mask-generation', dtypes: STANDARD, side: 32 },
    repository: sam({
      vision: { ...BLOCKS, side: 32, patch: 4, window: 5, global: [1] },
      decoder: { inner: 64, heads: 4, layers: 2 },
      width: 32,
    }),
  },
];

/** Those that a conversation can be had with. */
export const SPEAKERS = LAYOUTS.filter(({ task }) => task === 'text-generation');
