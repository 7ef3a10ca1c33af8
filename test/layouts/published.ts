import type { BertShape } from './bert.js';
import type { DecoderShape } from './decoder.js';
import type { WhisperShape } from './whisper.js';

/** The sizes in the config.json of what is published. */
export const DECODERS = {
  'SmolLM2-135M': {
    ...{ type: 'llama', vocabulary: 49152, width: 576, inner: 1536, layers: 30 },
    ...{ heads: 9, sharedHeads: 3, size: 64, positions: 8192, base: 100000, rotary: 'outside' },
  },
  'Qwen2.5-0.5B': {
    ...{ type: 'qwen2', vocabulary: 151936, width: 896, inner: 4864, layers: 24 },
    ...{ heads: 14, sharedHeads: 2, size: 64, positions: 32768, base: 1000000, rotary: 'inside' },
  },
  'Llama-3.2-1B': {
    ...{ type: 'llama', vocabulary: 128256, width: 2048, inner: 8192, layers: 16 },
    ...{ heads: 32, sharedHeads: 8, size: 64, positions: 131072, base: 500000, rotary: 'outside' },
  },
} as const satisfies Record<string, DecoderShape>;

export const MINILM: BertShape = {
  ...{ vocabulary: 30522, width: 384, inner: 1536, heads: 12, layers: 6, positions: 512 },
};

export const WHISPER_BASE: WhisperShape = {
  ...{ vocabulary: 51865, width: 512, inner: 2048, heads: 8, layers: 6 },
  ...{ melBins: 80, seconds: 30, targets: 448 },
};
