import { modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { Layers } from './layers.js';
import { type Cache, type DecoderInputs, type DecoderOutputs, mergedDecoder, nothing } from './merged-decoder.js';
import type { Repository } from './repository.js';
import { byteTokenizer } from './tokenizers.js';

/** A decoder that attends to what an encoder has made. */
export interface SpeakerShape {
  readonly vocabulary: number;
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  readonly layers: number;
  /** The most tokens. */
  readonly targets: number;
}

/** The encoder has as many layers as the decoder. */
export interface WhisperShape extends SpeakerShape {
  readonly melBins: number;
  readonly seconds: number;
}

const FRAMES_PER_SECOND = 100;

const ENCODED = ['batch_size', 'encoder_sequence_length'] as const;

/** Log-mel spectrograms to states: two convolutions, and blocks that normalize first. */
export function whisperEncoder({ width, inner, heads, layers, melBins, seconds }: WhisperShape): Model {
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const l = new Layers(b, 21);
  const frames = seconds * FRAMES_PER_SECOND;
  const features = b.input('input_features', 'float32', ['batch_size', melBins, frames]);
  const convolution = (x: Value, channels: number, stride: number) => {
    const kernel = l.weight([width, channels, 3], 1 / Math.sqrt(channels));
    const attributes = { kernel_shape: [3], pads: [1, 1], strides: [stride], dilations: [1], group: 1 };
    return l.gelu(l.op('Conv', [x, kernel, l.weight([width], 0.1)], attributes));
  };
  const heard = convolution(convolution(features, melBins, 1), width, 2);
  let x = l.op('Add', [l.op('Transpose', [heard], { perm: [0, 2, 1] }), l.weight([frames / 2, width], 0.5)]);
  for (let i = 0; i < layers; i++) {
    const own = l.layerNorm(x, width);
    const [q, k, v] = projections(l, width).map((weights) => split(l, linear(l, own, weights), width, heads));
    const attended = l.attention(q as Value, k as Value, v as Value, null, width / heads);
    x = l.op('Add', [x, l.linear(l.mergeHeads(attended, width), width, width)]);
    x = l.op('Add', [x, l.linear(l.gelu(l.linear(l.layerNorm(x, width), width, inner)), inner, width)]);
  }
  b.output('last_hidden_state', l.layerNorm(x, width), 'float32', [...ENCODED, width]);
  return b.toModel();
}

interface LinearWeights {
  readonly matrix: Value;
  readonly bias: Value | null;
}

const linearWeights = (l: Layers, inputs: number, outputs: number, hasBias = true): LinearWeights => ({
  matrix: l.weight([inputs, outputs]),
  bias: hasBias ? l.weight([outputs], 0.1) : null,
});

const linear = (l: Layers, x: Value, { matrix, bias }: LinearWeights): Value => {
  const product = l.op('MatMul', [x, matrix]);
  return bias ? l.op('Add', [product, bias]) : product;
};

/** Of queries, keys and values: keys have no bias. */
const projections = (l: Layers, width: number): LinearWeights[] =>
  [true, false, true].map((hasBias) => linearWeights(l, width, width, hasBias));

const split = (l: Layers, x: Value, width: number, heads: number) => l.splitHeads(x, heads, width / heads);

interface Norm {
  readonly scale: Value;
  readonly bias: Value;
}

const norm = (l: Layers, width: number): Norm => ({ scale: l.weight([width], 0.2, 1), bias: l.weight([width], 0.1) });

const normalized = (l: Layers, x: Value, { scale, bias }: Norm): Value =>
  l.op('LayerNormalization', [x, scale, bias], { axis: -1 });

/** What both branches of the decoder use. */
interface DecoderWeights {
  readonly tokens: Value;
  readonly positions: Value;
  readonly blocks: readonly {
    readonly own: AttentionWeights;
    readonly cross: AttentionWeights;
    readonly norm: Norm;
    readonly wide: LinearWeights;
    readonly narrow: LinearWeights;
  }[];
  readonly norm: Norm;
  readonly head: Value;
}

interface AttentionWeights {
  readonly norm: Norm;
  readonly projections: readonly LinearWeights[];
  readonly output: LinearWeights;
}

function decoderWeights(l: Layers, { vocabulary, width, inner, layers, targets }: SpeakerShape): DecoderWeights {
  const attention = () => ({
    norm: norm(l, width),
    projections: projections(l, width),
    output: linearWeights(l, width, width),
  });
  const block = () => ({
    ...{ own: attention(), cross: attention(), norm: norm(l, width) },
    ...{ wide: linearWeights(l, width, inner), narrow: linearWeights(l, inner, width) },
  });
  return {
    tokens: l.weight([vocabulary, width], 1),
    positions: l.weight([targets, width], 0.5),
    blocks: Array.from({ length: layers }, block),
    norm: norm(l, width),
    head: l.weight([width, vocabulary]),
  };
}

/** A decoder merged with itself. */
export const speaker = (shape: SpeakerShape): Model =>
  mergedDecoder(shape, 17, 22, (outer) => {
    const weights = decoderWeights(outer, shape);
    return (l, inputs) => decoderBranch(l, shape, weights, inputs);
  });

function decoderBranch(
  l: Layers,
  shape: SpeakerShape,
  weights: DecoderWeights,
  { ids, states, past }: DecoderInputs,
): DecoderOutputs {
  const { heads, width } = shape;
  const begin = past ? l.sizeOf((past[0] as Cache)[0], 2) : l.integer(0);
  const end = l.op('Add', [begin, l.sizeOf(ids, 1)]);
  const positions = l.op('Gather', [weights.positions, l.op('Range', [begin, end, l.integer(1)])]);
  const bias = causal(l, begin, end);
  const heads4 = (x: Value) => split(l, x, width, heads);
  let x = l.op('Add', [l.op('Gather', [weights.tokens, ids]), positions]);
  const present = weights.blocks.map(({ own, cross, ...block }, i): Cache => {
    const cache = past?.[i];
    const inputs = normalized(l, x, own.norm);
    const [q, k, v] = own.projections.map((projection) => heads4(linear(l, inputs, projection))) as [
      Value,
      Value,
      Value,
    ];
    const key = cache ? l.op('Concat', [cache[0], k], { axis: 2 }) : k;
    const value = cache ? l.op('Concat', [cache[1], v], { axis: 2 }) : v;
    x = l.op('Add', [x, linear(l, attended(l, [q, key, value], bias, width, heads), own.output)]);

    const [asking, ...others] = cross.projections as [LinearWeights, LinearWeights, LinearWeights];
    const asked = heads4(linear(l, normalized(l, x, cross.norm), asking));
    const [heardKey, heardValue] = (
      cache ? cache.slice(2) : others.map((projection) => heads4(linear(l, states, projection)))
    ) as [Value, Value];
    x = l.op('Add', [x, linear(l, attended(l, [asked, heardKey, heardValue], null, width, heads), cross.output)]);

    const wide = l.gelu(linear(l, normalized(l, x, block.norm), block.wide));
    x = l.op('Add', [x, linear(l, wide, block.narrow)]);
    return cache ? [key, value, nothing(l, shape), nothing(l, shape)] : [key, value, heardKey, heardValue];
  });
  return { logits: l.op('MatMul', [normalized(l, x, weights.norm), weights.head]), present };
}

const attended = (
  l: Layers,
  [q, k, v]: readonly [Value, Value, Value],
  bias: Value | null,
  width: number,
  heads: number,
): Value => l.mergeHeads(l.attention(q, k, v, bias, width / heads), width);

/** [queries, keys]: a large negative number where a key comes after the query. */
function causal(l: Layers, begin: Value, end: Value): Value {
  const keys = l.op('Range', [l.integer(0), end, l.integer(1)]);
  const queries = l.op('Range', [begin, end, l.integer(1)]);
  const isLater = l.op('Greater', [keys, l.op('Unsqueeze', [queries, l.integers(1)])]);
  return l.op('Where', [isLater, l.number(-1e4), l.number(0)]);
}

/** The last of the vocabulary; what comes after them are times. */
const LAST = ['<|startoftranscript|>', '<|notimestamps|>'];

/** Whisper with all that automatic-speech-recognition wants of it. */
export const whisper = (shape: WhisperShape): Repository => ({
  json: {
    'config.json': {
      ...{ architectures: ['WhisperForConditionalGeneration'], model_type: 'whisper', is_encoder_decoder: true },
      ...{ d_model: shape.width, encoder_layers: shape.layers, decoder_layers: shape.layers },
      ...{ encoder_attention_heads: shape.heads, decoder_attention_heads: shape.heads, vocab_size: shape.vocabulary },
      ...{ encoder_ffn_dim: shape.inner, decoder_ffn_dim: shape.inner, num_hidden_layers: shape.layers },
      ...{ num_mel_bins: shape.melBins, max_source_positions: shape.seconds * 50, max_target_positions: shape.targets },
      ...tokensOf(shape),
    },
    'generation_config.json': {
      ...tokensOf(shape),
      no_timestamps_token_id: 4,
      is_multilingual: false,
      max_length: shape.targets,
    },
    'preprocessor_config.json': {
      ...{ feature_extractor_type: 'WhisperFeatureExtractor', processor_class: 'WhisperProcessor' },
      ...{
        chunk_length: shape.seconds,
        feature_size: shape.melBins,
        hop_length: 160,
        n_fft: 400,
        sampling_rate: 16000,
      },
      ...{ n_samples: shape.seconds * 16000, nb_max_frames: shape.seconds * FRAMES_PER_SECOND, padding_value: 0 },
    },
    ...byteTokenizer(shape.vocabulary, shape.targets, {
      ...{ last: LAST, tokenizer: 'WhisperTokenizer' },
    }),
  },
  models: { encoder_model: () => whisperEncoder(shape), decoder_model_merged: () => speaker(shape) },
});

const tokensOf = ({ vocabulary }: WhisperShape) => ({
  ...{ bos_token_id: 1, eos_token_id: 2, pad_token_id: 0, decoder_start_token_id: vocabulary - 2 },
});
