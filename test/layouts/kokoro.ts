import { modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { type AlbertShape, albert, type Writing } from './albert.js';
import { type AdaptiveShape, adaptiveBlock, type VocoderShape, vocoder } from './istft-net.js';
import { Layers } from './layers.js';
import type { Repository } from './repository.js';
import { byteTokenizer } from './tokenizers.js';

export interface KokoroShape {
  readonly reader: AlbertShape;
  readonly vocoder: VocoderShape;
  /** Of the encoders of texts and durations. */
  readonly layers: number;
  /** The most frames of a token. */
  readonly frames: number;
}

/** StyleTTS 2 as Kokoro has it: how long each token is, at what pitch and how loud, and samples of these. */
export function kokoro(shape: KokoroShape, writing: Writing): Model {
  const { reader, vocoder: voice, frames } = shape;
  const { width, style: styled } = voice;
  const b = modelBuilder({ opset: 17, irVersion: 8, opsets: { 'com.microsoft': 1 } });
  const l = new Layers(b, 91);
  const ids = b.input('input_ids', 'int64', [1, 'sequence_length']);
  const style = b.input('style', 'float32', [1, 2 * styled]);
  const speed = b.input('speed', 'float32', [1]);
  const text = textOf(l, ids);
  const [voiceStyle, manner] = [l.slice(style, 1, 0, styled), l.slice(style, 1, styled)];

  const read = l.linear(
    albert(l, reader, ids, l.op('Cast', [l.op('Not', [text.isPad])], { to: 7 }), writing),
    reader.width,
    width,
  );
  const states = durationStates(l, shape, read, manner, text);
  const spoken = bothWays(l, states, width + styled, width / 2);
  const each = l.op('ReduceSum', [l.op('Sigmoid', [l.linear(spoken, width, frames)]), l.integers(-1)], { keepdims: 0 });
  const rounded = l.op('Clip', [l.op('Round', [l.op('Div', [each, speed])]), l.number(1)]);
  const alignment = aligned(l, l.op('Cast', [rounded], { to: 7 }));

  const swap = (x: Value) => l.op('Transpose', [x], { perm: [0, 2, 1] });
  const over = l.op('MatMul', [swap(states), alignment]);
  const shared = swap(bothWays(l, swap(over), width + styled, width / 2));
  const pitch = curve(l, shared, manner, voice, { scale: 40, center: 1037 });
  const force = curve(l, shared, manner, voice, { scale: 0.3, center: 0 });
  const said = l.op('MatMul', [textStates(l, shape, ids, text), alignment]);
  b.output('waveform', vocoder(l, said, pitch, force, voiceStyle, voice), 'float32', [1, 'num_samples']);
  return b.toModel();
}

interface Text {
  readonly lengths: Value;
  /** [1, sequence]: false, as there is one text alone. */
  readonly isPad: Value;
}

function textOf(l: Layers, ids: Value): Text {
  const length = l.sizeOf(ids, 1);
  const lengths = l.unsqueezed(length, 0);
  const places = l.unsqueezed(l.op('Range', [l.integer(0), length, l.integer(1)]), 0);
  const ends = l.op('Add', [places, l.integer(1)]);
  return { lengths, isPad: l.op('Greater', [ends, l.unsqueezed(lengths, 1)]) };
}

/** [1, steps, inputs] as [1, steps, 2 · hidden], by an LSTM in each direction. */
function bothWays(l: Layers, x: Value, inputs: number, hidden: number, lengths: Value | null = null): Value {
  const scale = Math.sqrt(1 / hidden);
  const weights = [
    l.weight([2, 4 * hidden, inputs], Math.sqrt(3 / inputs)),
    l.weight([2, 4 * hidden, hidden], scale),
    l.weight([2, 8 * hidden], scale),
  ];
  const zeros = l.op('ConstantOfShape', [l.dims(2, l.sizeOf(x, 0), hidden)], {
    value: { type: 'float32', dims: [1], data: Float32Array.of(0) },
  });
  const steps = l.op('Transpose', [x], { perm: [1, 0, 2] });
  const counts = lengths && l.op('Cast', [lengths], { to: 6 });
  const both = l.op('LSTM', [steps, ...weights, counts, zeros, zeros], {
    direction: 'bidirectional',
    hidden_size: hidden,
  });
  const joined = l.reshaped(l.op('Transpose', [both], { perm: [0, 2, 1, 3] }), 0, 0, -1);
  return l.op('Transpose', [joined], { perm: [1, 0, 2] });
}

/** LSTMs and normalizations of the style in turn; each LSTM sees the style beside its input. */
function durationStates(l: Layers, { layers, vocoder }: KokoroShape, read: Value, style: Value, text: Text): Value {
  const { width, style: styled } = vocoder;
  const manner = l.expanded(l.unsqueezed(style, 1), -1, l.sizeOf(read, 1), -1);
  const blank = l.unsqueezed(text.isPad, 2);
  const masked = (x: Value) => l.op('Where', [blank, l.number(0), x]);
  const beside = (x: Value) => masked(l.op('Concat', [x, manner], { axis: -1 }));
  let x = beside(read);
  for (let i = 0; i < layers; i++) {
    const spoken = bothWays(l, x, width + styled, width / 2, text.lengths);
    x = beside(normalized(l, spoken, width, style, styled));
  }
  return x;
}

function normalized(l: Layers, x: Value, width: number, style: Value, styled: number): Value {
  const ones = { type: 'float32', dims: [width], data: new Float32Array(width).fill(1) } as const;
  const zeros = { type: 'float32', dims: [width], data: new Float32Array(width) } as const;
  const made = l.op('Gemm', [style, l.weight([2 * width, styled], 0.3), l.weight([2 * width], 0.1)], { transB: 1 });
  const [gamma, beta] = l.b.node(
    'Split',
    [l.unsqueezed(made, 1), l.integers(width, width)],
    { axis: 2 },
    { outputs: 2 },
  );
  const plain = l.op('LayerNormalization', [x, l.constant('ones', ones), l.constant('zeros', zeros)], { axis: -1 });
  return l.op('Add', [l.op('Mul', [l.op('Add', [gamma, l.number(1)]), plain]), beta]);
}

/** [tokens, frames] of how many frames each token has: 1 where the frame is the token's. */
function aligned(l: Layers, counts: Value): Value {
  const each = l.op('Squeeze', [counts, l.integers(0)]);
  const ends = l.op('CumSum', [each, l.integer(0)]);
  const total = l.op('ReduceSum', [each, l.integers(0)], { keepdims: 0 });
  const frames = l.op('Range', [l.integer(0), total, l.integer(1)]);
  const at = l.unsqueezed(frames, 1);
  const isBegun = l.op('GreaterOrEqual', [at, l.op('Sub', [ends, each])]);
  const isOf = l.op('And', [isBegun, l.op('Less', [at, ends])]);
  const pairs = l.op('Transpose', [l.op('NonZero', [isOf])], { perm: [1, 0] });
  const swapped = l.op('Gather', [pairs, l.integers(1, 0)], { axis: 1 });
  const zero = { type: 'float32', dims: [1], data: Float32Array.of(0) } as const;
  const empty = l.op('ConstantOfShape', [l.dims(l.sizeOf(each, 0), total)], { value: zero });
  const ones = l.op('Expand', [l.number(1), l.unsqueezed(total, 0)]);
  return l.unsqueezed(l.op('ScatterND', [empty, swapped, ones]), 0);
}

interface CurveRange {
  readonly scale: number;
  readonly center: number;
}

/** [1, 2 · frames]: pitch or force over time. */
function curve(l: Layers, states: Value, style: Value, voice: VocoderShape, { scale, center }: CurveRange): Value {
  const { width, style: styled } = voice;
  const half = width / 2;
  const shapes: Omit<AdaptiveShape, 'style'>[] = [
    { inputs: width, outputs: width },
    { inputs: width, outputs: half, isDoubled: true },
    { inputs: half, outputs: half },
  ];
  const x = shapes.reduce((y, shape) => adaptiveBlock(l, y, style, { ...shape, style: styled }), states);
  const bias = l.constant('center', { type: 'float32', dims: [1], data: Float32Array.of(center) });
  const end = l.op('Conv', [x, l.weight([1, half, 1], scale), bias], { kernel_shape: [1], pads: [0, 0], strides: [1] });
  return l.op('Squeeze', [end, l.integers(1)]);
}

/** [1, width, tokens]: convolutions, whose channels are normalized, and an LSTM in each direction. */
function textStates(l: Layers, { reader, layers, vocoder }: KokoroShape, ids: Value, text: Text): Value {
  const { width } = vocoder;
  const swap = (x: Value) => l.op('Transpose', [x], { perm: [0, 2, 1] });
  const blank = l.unsqueezed(text.isPad, 1);
  const masked = (x: Value) => l.op('Where', [blank, l.number(0), x]);
  let x = masked(swap(l.op('Gather', [l.weight([reader.vocabulary, width], 1), ids])));
  for (let i = 0; i < layers; i++) {
    const seen = l.layerNorm(swap(l.convolution(x, width, width, { kernel: [5] })), width);
    x = masked(l.op('LeakyRelu', [swap(seen)], { alpha: 0.2 }));
  }
  return masked(swap(bothWays(l, swap(x), width, width / 2, text.lengths)));
}

/** Kokoro with all that a `StyleTextToSpeech2Model` and a tokenizer want of it; onnxruntime's optimizer ran before its integers were made. */
export const kokoroRepository = (shape: KokoroShape): Repository => ({
  json: {
    'config.json': { architectures: ['StyleTextToSpeech2Model'], model_type: 'style_text_to_speech_2' },
    ...byteTokenizer(shape.reader.vocabulary, shape.reader.positions),
  },
  models: { model: (dtype) => kokoro(shape, { fused: dtype === 'q8' }) },
});
