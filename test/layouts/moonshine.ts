import { modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { Layers } from './layers.js';
import { type Cache, type DecoderInputs, type DecoderOutputs, mergedDecoder, nothing } from './merged-decoder.js';
import type { Repository } from './repository.js';
import { byteTokenizer } from './tokenizers.js';

/** The encoder has as many layers as the decoder. */
export interface MoonshineShape {
  readonly vocabulary: number;
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  readonly layers: number;
  /** Entries of a head that are turned. */
  readonly turned: number;
  /** The most tokens. */
  readonly targets: number;
}

const OPSET = 14;
const BASE = 10000;

interface AttentionWeights {
  readonly norm: Value;
  /** Of queries, keys, values, and of what is made of them. */
  readonly projections: readonly [Value, Value, Value, Value];
}

interface Dense {
  readonly matrix: Value;
  readonly bias: Value;
}

interface BlockWeights {
  readonly own: AttentionWeights;
  readonly cross: AttentionWeights;
  readonly norm: Value;
  readonly wide: Dense;
  readonly narrow: Dense;
}

const attentionWeights = (l: Layers, width: number): AttentionWeights => ({
  norm: l.weight([width], 0.2, 1),
  projections: [0, 1, 2, 3].map(() => l.weight([width, width])) as [Value, Value, Value, Value],
});

const dense = (l: Layers, inputs: number, outputs: number): Dense => ({
  matrix: l.weight([inputs, outputs]),
  bias: l.weight([outputs], 0.1),
});

const linear = (l: Layers, x: Value, { matrix, bias }: Dense): Value =>
  l.op('Add', [l.op('MatMul', [x, matrix]), bias]);

/** Without a bias. */
const norm = (l: Layers, x: Value, weight: Value): Value => l.op('Mul', [l.standardized(x, -1), weight]);

/** Samples to states: three convolutions, of which a second has some 41, and blocks that normalize first. */
export function moonshineEncoder(shape: MoonshineShape): Model {
  const { width, inner, layers } = shape;
  const b = modelBuilder({ opset: OPSET, irVersion: 7 });
  const l = new Layers(b, 81);
  const samples = b.input('input_values', 'float32', ['batch_size', 'num_samples']);
  const heard = l.convolution(l.unsqueezed(samples, 1), 1, width, {
    kernel: [127],
    stride: 64,
    pads: [0],
    hasBias: false,
  });
  const normal = groupNorm(l, l.op('Tanh', [heard]), width);
  const shorter = l.gelu(l.convolution(normal, width, 2 * width, { kernel: [7], stride: 3, pads: [0] }));
  const end = l.gelu(l.convolution(shorter, 2 * width, width, { kernel: [3], stride: 2, pads: [0] }));
  let x = l.op('Transpose', [end], { perm: [0, 2, 1] });
  const angles = anglesOf(l, shape, range(l, l.integer(0), l.sizeOf(x, 1)));
  for (let i = 0; i < layers; i++) {
    const { norm: scale, projections } = attentionWeights(l, width);
    const own = norm(l, x, scale);
    const [q, k, v] = heads(l, shape, own, projections);
    x = l.op('Add', [x, attended(l, shape, turned(l, q, angles), turned(l, k, angles), v, null, projections[3])]);
    const wide = l.gelu(l.linear(norm(l, x, l.weight([width], 0.2, 1)), width, inner));
    x = l.op('Add', [x, l.linear(wide, inner, width)]);
  }
  const states = norm(l, x, l.weight([width], 0.2, 1));
  b.output('last_hidden_state', states, 'float32', ['batch_size', 'encoder_sequence_length', width]);
  return b.toModel();
}

/** All channels as one group. */
function groupNorm(l: Layers, x: Value, width: number): Value {
  const one = (value: number) => l.constant('one', { type: 'float32', dims: [1], data: Float32Array.of(value) });
  const joined = l.op('InstanceNormalization', [l.reshaped(x, 0, 1, -1), one(1), one(0)], { epsilon: 1e-5 });
  const apart = l.op('Reshape', [joined, l.op('Shape', [x])]);
  return l.op('Add', [l.op('Mul', [apart, l.weight([width, 1], 0.2, 1)]), l.weight([width, 1], 0.1)]);
}

const range = (l: Layers, begin: Value, end: Value): Value => l.op('Range', [begin, end, l.integer(1)]);

interface Angles {
  readonly cos: Value;
  readonly sin: Value;
  readonly count: number;
}

/** [1, 1, positions, count]: each frequency twice, one beside the other. */
function anglesOf(l: Layers, { turned: count }: MoonshineShape, positions: Value): Angles {
  const half = count / 2;
  const data = Float32Array.from({ length: half }, (_, i) => BASE ** (-i / half));
  const frequencies = l.constant('frequencies', { type: 'float32', dims: [1, half, 1], data });
  const at = l.op('Cast', [l.unsqueezed(positions, 0, 1)], { to: 1 });
  const angles = l.op('Transpose', [l.op('MatMul', [l.expanded(frequencies, 1, -1, 1), at])], { perm: [0, 2, 1] });
  const both = l.op('Concat', [angles, angles], { axis: -1 });
  const wave = (op: string) => {
    const first = l.slice(l.unsqueezed(l.op(op, [both]), 1), 3, 0, half);
    return l.reshaped(l.expanded(l.unsqueezed(first, 4), -1, -1, -1, -1, 2), 0, 0, 0, count);
  };
  return { cos: wave('Cos'), sin: wave('Sin'), count };
}

/** The first entries of each head, in pairs of neighbours; the others stay. */
function turned(l: Layers, x: Value, { cos, sin, count }: Angles): Value {
  const [first, rest] = [l.slice(x, 3, 0, count), l.slice(x, 3, count)];
  const [even, odd] = [0, 1].map((from) => l.slice(first, 3, from, 2 ** 31, 2)) as [Value, Value];
  const pairs = l.op('Concat', [l.unsqueezed(l.op('Neg', [odd]), 4), l.unsqueezed(even, 4)], { axis: -1 });
  const swapped = l.op('Reshape', [pairs, l.op('Shape', [first])]);
  const moved = l.op('Add', [l.op('Mul', [first, cos]), l.op('Mul', [swapped, sin])]);
  return l.op('Concat', [moved, rest], { axis: -1 });
}

type Three = [q: Value, k: Value, v: Value];

const heads = (l: Layers, { width, heads }: MoonshineShape, x: Value, projections: readonly Value[]): Three =>
  projections.slice(0, 3).map((matrix) => l.splitHeads(l.op('MatMul', [x, matrix]), heads, width / heads)) as Three;

/** As PyTorch writes its own attention: queries and keys have the root of the scale each. */
function attended(
  l: Layers,
  { width }: MoonshineShape,
  q: Value,
  k: Value,
  v: Value,
  bias: Value | null,
  output: Value,
): Value {
  const size = l.op('Cast', [l.slice(l.op('Shape', [q]), 0, -1)], { to: 1 });
  const root = l.op('Sqrt', [l.op('Div', [l.number(1), l.op('Sqrt', [size])])]);
  const keys = l.op('Mul', [l.op('Transpose', [k], { perm: [0, 1, 3, 2] }), root]);
  const scores = l.op('MatMul', [l.op('Mul', [q, root]), keys]);
  const weights = l.op('Softmax', [bias ? l.op('Add', [scores, bias]) : scores], { axis: -1 });
  return l.op('MatMul', [l.mergeHeads(l.op('MatMul', [weights, v]), width), output]);
}

export const moonshineDecoder = (shape: MoonshineShape): Model =>
  mergedDecoder(shape, OPSET, 82, (outer) => {
    const { vocabulary, width, inner, layers } = shape;
    const tokens = outer.weight([vocabulary, width], 1);
    const blocks = Array.from(
      { length: layers },
      (): BlockWeights => ({
        ...{ own: attentionWeights(outer, width), cross: attentionWeights(outer, width) },
        ...{
          norm: outer.weight([width], 0.2, 1),
          wide: dense(outer, width, 2 * inner),
          narrow: dense(outer, inner, width),
        },
      }),
    );
    const [last, head] = [outer.weight([width], 0.2, 1), outer.weight([width, vocabulary])];
    return (l, inputs) => {
      const [states, present] = decoderStates(l, shape, l.op('Gather', [tokens, inputs.ids]), blocks, inputs);
      return { logits: l.op('MatMul', [norm(l, states, last), head]), present };
    };
  });

function decoderStates(
  l: Layers,
  shape: MoonshineShape,
  words: Value,
  blocks: readonly BlockWeights[],
  { ids, states, past }: DecoderInputs,
): [states: Value, present: DecoderOutputs['present']] {
  const begin = past ? l.sizeOf((past[0] as Cache)[0], 2) : l.integer(0);
  const end = l.op('Add', [begin, l.sizeOf(ids, 1)]);
  const positions = range(l, begin, end);
  const angles = anglesOf(l, shape, positions);
  const bias = causal(l, ids, positions, end);
  let x = words;
  const present = blocks.map(({ own, cross, norm: scale, wide, narrow }, i): Cache => {
    const cache = past?.[i];
    const [q, k, v] = heads(l, shape, norm(l, x, own.norm), own.projections);
    const newKey = turned(l, k, angles);
    const key = cache ? l.op('Concat', [cache[0], newKey], { axis: 2 }) : newKey;
    const value = cache ? l.op('Concat', [cache[1], v], { axis: 2 }) : v;
    x = l.op('Add', [x, attended(l, shape, turned(l, q, angles), key, value, bias, own.projections[3])]);

    const asking = norm(l, x, cross.norm);
    const [asked] = heads(l, shape, asking, cross.projections.slice(0, 1));
    const [heardKey, heardValue] = (cache ? cache.slice(2) : heads(l, shape, states, cross.projections.slice(1))) as [
      Value,
      Value,
    ];
    x = l.op('Add', [x, attended(l, shape, asked, heardKey, heardValue, null, cross.projections[3])]);

    const [kept, gate] = l.b.node(
      'Split',
      [linear(l, norm(l, x, scale), wide), halves(l, shape)],
      { axis: -1 },
      { outputs: 2 },
    );
    x = l.op('Add', [x, linear(l, l.op('Mul', [l.silu(gate), kept]), narrow)]);
    return cache ? [key, value, nothing(l, shape), nothing(l, shape)] : [key, value, heardKey, heardValue];
  });
  return [x, present];
}

const halves = (l: Layers, { inner }: MoonshineShape): Value => l.integers(inner, inner);

/** [batch, 1, queries, keys]: a triangle of large negative numbers, of which those stay whose key comes after the query. */
function causal(l: Layers, ids: Value, positions: Value, end: Value): Value {
  const count = l.sizeOf(ids, 1);
  const least = { type: 'float32', dims: [1], data: Float32Array.of(-1e4) } as const;
  const full = l.op('ConstantOfShape', [l.dims(count, end)], { value: least });
  const isLater = l.op('Greater', [range(l, l.integer(0), end), l.reshaped(positions, -1, 1)]);
  const upper = l.op('Trilu', [full, l.integer(1)], { upper: 1 });
  const masked = l.op('Mul', [upper, l.op('Cast', [isLater], { to: 1 })]);
  return l.expanded(l.unsqueezed(masked, 0, 1), l.sizeOf(ids, 0), 1, -1, -1);
}

/** Moonshine with all that automatic-speech-recognition wants of it. */
export const moonshine = (shape: MoonshineShape): Repository => ({
  json: {
    'config.json': {
      ...{ architectures: ['MoonshineForConditionalGeneration'], model_type: 'moonshine', is_encoder_decoder: true },
      ...{ hidden_size: shape.width, intermediate_size: shape.inner, vocab_size: shape.vocabulary },
      ...{ encoder_num_hidden_layers: shape.layers, decoder_num_hidden_layers: shape.layers },
      ...{ encoder_num_attention_heads: shape.heads, decoder_num_attention_heads: shape.heads },
      ...{ encoder_num_key_value_heads: shape.heads, decoder_num_key_value_heads: shape.heads },
      ...{ partial_rotary_factor: (shape.turned * shape.heads) / shape.width, rope_theta: BASE },
      ...{ max_position_embeddings: shape.targets, ...TOKENS },
    },
    'generation_config.json': { ...TOKENS, max_length: shape.targets },
    'preprocessor_config.json': {
      ...{ feature_extractor_type: 'MoonshineFeatureExtractor', processor_class: 'MoonshineProcessor' },
      ...{ feature_size: 1, sampling_rate: 16000, padding_value: 0, do_normalize: false, return_attention_mask: true },
    },
    ...byteTokenizer(shape.vocabulary, shape.targets),
  },
  models: { encoder_model: () => moonshineEncoder(shape), decoder_model_merged: () => moonshineDecoder(shape) },
});

const TOKENS = { bos_token_id: 1, eos_token_id: 2, pad_token_id: 2, decoder_start_token_id: 1 };
