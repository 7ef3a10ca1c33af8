import { float } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import type { Layers } from './layers.js';

export interface VocoderShape {
  /** Channels of what is said, of a style, and of the decoder's blocks. */
  readonly width: number;
  readonly style: number;
  readonly channels: number;
  /** Channels of what is said that all blocks see. */
  readonly residual: number;
  /** What the generator's two steps lengthen by, and their kernels. */
  readonly rates: readonly [number, number];
  readonly kernels: readonly [number, number];
  /** Samples of a window, and from one to the next. */
  readonly window: number;
  readonly hop: number;
  /** The most that are made. */
  readonly samples: number;
}

const SAMPLING_RATE = 24000;
const HARMONICS = 9;
const RESIDUAL_KERNELS = [3, 7, 11];
const DILATIONS = [1, 3, 5];

/**
 * How much of the source is heard, and of its angles once more: phases are sums over time, and angles jump by 2π (those of the first
 * window, which is symmetric, by the last bit), so that what one runtime rounds otherwise would be heard as another sound.
 */
const FAINT = 0.03;

/** A normalization of each channel over time, whose scale and bias are those of the style. */
function adaptive(l: Layers, x: Value, channels: number, style: Value, width: number): Value {
  const ones = { type: 'float32', dims: [channels], data: new Float32Array(channels).fill(1) } as const;
  const zeros = { type: 'float32', dims: [channels], data: new Float32Array(channels) } as const;
  const normal = l.op('InstanceNormalization', [x, l.constant('ones', ones), l.constant('zeros', zeros)], {
    epsilon: 1e-5,
  });
  const made = l.op('Gemm', [style, l.weight([2 * channels, width], 0.3), l.weight([2 * channels], 0.1)], {
    transB: 1,
  });
  const column = l.unsqueezed(made, 2);
  const [gamma, beta] = l.b.node('Split', [column, l.integers(channels, channels)], { axis: 1 }, { outputs: 2 });
  return l.op('Add', [l.op('Mul', [l.op('Add', [gamma, l.number(1)]), normal]), beta]);
}

export interface AdaptiveShape {
  readonly inputs: number;
  readonly outputs: number;
  readonly style: number;
  readonly isDoubled?: boolean;
}

const leaky = (l: Layers, x: Value, alpha: number): Value => l.op('LeakyRelu', [x], { alpha });

const conv = (l: Layers, x: Value, inputs: number, outputs: number, kernel: number, hasBias = true): Value =>
  l.convolution(x, inputs, outputs, { kernel: [kernel], hasBias });

/** Two convolutions, each after a normalization of the style, beside a shortcut; twice as long where asked for. */
export function adaptiveBlock(l: Layers, x: Value, style: Value, shape: AdaptiveShape): Value {
  const { inputs, outputs, style: width, isDoubled = false } = shape;
  const first = leaky(l, adaptive(l, x, inputs, style, width), 0.2);
  const longer = isDoubled ? doubledByConvolution(l, first, inputs) : first;
  const second = leaky(l, adaptive(l, conv(l, longer, inputs, outputs, 3), outputs, style, width), 0.2);
  const residual = conv(l, second, outputs, outputs, 3);
  const passed = isDoubled ? resized(l, x, 2, 'nearest') : x;
  const shortcut = inputs === outputs ? passed : conv(l, passed, inputs, outputs, 1, false);
  return l.op('Mul', [l.op('Add', [residual, shortcut]), l.number(Math.SQRT1_2)]);
}

const doubledByConvolution = (l: Layers, x: Value, channels: number): Value =>
  l.op('ConvTranspose', [x, l.weight([channels, 1, 3], 1), l.weight([channels], 0.1)], {
    ...{ kernel_shape: [3], strides: [2], pads: [1, 1], output_padding: [1], dilations: [1], group: channels },
  });

function resized(l: Layers, x: Value, scale: number, mode: 'nearest' | 'linear'): Value {
  const scales = l.constant('scales', { type: 'float32', dims: [3], data: Float32Array.of(1, 1, scale) });
  const how =
    mode === 'nearest'
      ? { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' }
      : { coordinate_transformation_mode: 'half_pixel' };
  return l.op('Resize', [x, null, scales], { mode, ...how });
}

/** Samples of what is said at these pitches and with this force, [batch, time], in a style. */
export function vocoder(l: Layers, said: Value, pitch: Value, force: Value, style: Value, shape: VocoderShape): Value {
  const { width, channels, residual, style: styled } = shape;
  const halved = (curve: Value) => l.convolution(l.unsqueezed(curve, 1), 1, 1, { kernel: [3], stride: 2 });
  const [lowered, weaker] = [halved(scaled(l, pitch)), halved(force)];
  let x = l.op('Concat', [said, lowered, weaker], { axis: 1 });
  x = adaptiveBlock(l, x, style, { inputs: width + 2, outputs: channels, style: styled });
  const passed = conv(l, said, width, residual, 1);
  const wide = channels + residual + 2;
  for (const isDoubled of [false, false, false, true]) {
    const outputs = isDoubled ? channels / 2 : channels;
    const all = l.op('Concat', [x, passed, lowered, weaker], { axis: 1 });
    x = adaptiveBlock(l, all, style, { inputs: wide, outputs, style: styled, isDoubled });
  }
  return generator(l, x, channels / 2, style, harmonics(l, pitch, shape), shape);
}

/** Pitches are hundreds: weights of any seed would make nothing but them heard. */
const scaled = (l: Layers, pitch: Value): Value => l.op('Mul', [pitch, l.number(1 / 256)]);

/** A tone and its harmonics, [batch, samples], each in its phase, which grows with the pitch. */
function source(l: Layers, pitch: Value, shape: VocoderShape): Value {
  const { rates, hop } = shape;
  const scale = rates[0] * rates[1] * hop;
  const swap = (x: Value) => l.op('Transpose', [x], { perm: [0, 2, 1] });
  const f0 = swap(resized(l, l.unsqueezed(pitch, 1), scale, 'nearest'));
  const multiples = Float32Array.from({ length: HARMONICS }, (_, i) => i + 1);
  const each = l.op('Mul', [
    f0,
    l.constant('multiples', { type: 'float32', dims: [1, 1, HARMONICS], data: multiples }),
  ]);
  const turns = l.op('Div', [each, l.number(SAMPLING_RATE)]);
  const parts = l.op('Sub', [turns, l.op('Floor', [turns])]);
  const begun = randomStart(l, parts);
  const few = swap(resized(l, swap(begun), 1 / scale, 'linear'));
  const phases = l.op('Mul', [l.op('CumSum', [few, l.integer(1)]), l.number(2 * Math.PI)]);
  const waves = l.op('Sin', [swap(resized(l, l.op('Mul', [swap(phases), l.number(scale)]), scale, 'linear'))]);
  const voiced = l.op('Cast', [l.op('Greater', [f0, l.number(10)])], { to: 1 });
  const loud = l.op('Mul', [l.op('Mul', [waves, l.number(0.1)]), voiced]);
  const noise = noiseLike(l, loud, shape);
  const amplitude = l.op('Add', [l.op('Mul', [voiced, l.number(-0.0303)]), l.number(0.0333)]);
  const mixed = l.op('Add', [loud, l.op('Mul', [amplitude, noise])]);
  const merged = l.op('Tanh', [
    l.op('Add', [l.op('MatMul', [mixed, l.weight([HARMONICS, 1], 5)]), l.weight([1], 0.1)]),
  ]);
  return l.op('Squeeze', [swap(merged), l.integers(1)]);
}

/** What is drawn is next to nothing, as no two runtimes draw the same; what is heard in its place is of a seed. */
function noiseLike(l: Layers, waves: Value, { samples }: VocoderShape): Value {
  const drawn = l.op('RandomNormalLike', [waves], { mean: float(0), scale: 1e-30 });
  const known = l.weight([1, samples, HARMONICS], Math.sqrt(3));
  const count = l.unsqueezed(l.sizeOf(waves, 1), 0);
  return l.op('Add', [drawn, l.op('Slice', [known, l.integers(0), count, l.integers(1)])]);
}

/** A random phase for each harmonic at first, as an assignment to a row is written: of 0 here. */
function randomStart(l: Layers, turns: Value): Value {
  const first = l.op('Gather', [turns, l.integer(0)], { axis: 1 });
  const drawn = l.op('RandomUniformLike', [first], { low: float(0), high: float(0) });
  const batch = l.reshaped(l.op('Range', [l.integer(0), l.sizeOf(turns, 0), l.integer(1)]), -1, 1);
  const at = l.op('Concat', [batch, l.op('Mul', [batch, l.integer(0)])], { axis: 1 });
  return l.op('ScatterND', [turns, at, l.op('Add', [first, drawn])]);
}

const hann = (length: number) =>
  Float32Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));

/** The spectrum of the source, [batch, magnitudes and angles, frames]. */
function harmonics(l: Layers, pitch: Value, shape: VocoderShape): Value {
  const { window, hop } = shape;
  const half = window / 2;
  const samples = l.op('Pad', [l.unsqueezed(source(l, pitch, shape), 1), l.integers(0, 0, half, 0, 0, half)], {
    mode: 'reflect',
  });
  const signal = l.unsqueezed(l.op('Squeeze', [samples, l.integers(1)]), 2);
  const hanning = l.constant('window', { type: 'float32', dims: [window], data: hann(window) });
  const spectrum = l.op('STFT', [signal, l.integer(hop), hanning, l.integer(window)], { onesided: 1 });
  const complex = l.op('Transpose', [spectrum], { perm: [0, 2, 1, 3] });
  const [re, im] = [0, 1].map((part) => l.op('Gather', [complex, l.integer(part)], { axis: 3 })) as [Value, Value];
  const square = (x: Value) => l.op('Mul', [x, x]);
  const magnitude = l.op('Sqrt', [l.op('Add', [square(re), square(im)])]);
  return l.op('Concat', [magnitude, angle(l, re, im)], { axis: 1 });
}

/** As PyTorch writes the angle of a complex number. */
function angle(l: Layers, re: Value, im: Value): Value {
  const slope = l.op('Atan', [l.op('Div', [im, re])]);
  const [more, less] = ['Add', 'Sub'].map((op) => l.op(op, [slope, l.number(Math.PI)])) as [Value, Value];
  const left = l.op('Where', [l.op('Greater', [im, l.number(0)]), more, less]);
  return l.op('Where', [l.op('Less', [re, l.number(0)]), left, slope]);
}

function generator(
  l: Layers,
  states: Value,
  inputs: number,
  style: Value,
  spectrum: Value,
  shape: VocoderShape,
): Value {
  const { rates, kernels, window, style: styled } = shape;
  let x = states;
  let channels = inputs;
  for (const [i, rate] of rates.entries()) {
    const [before, kernel] = [channels, kernels[i] as number];
    channels /= 2;
    const isLast = i === rates.length - 1;
    const block = { channels, style, width: styled };
    const echo = { ...block, kernel: isLast ? 11 : 7, gain: FAINT };
    const heard = snakeBlock(l, heardAt(l, spectrum, channels, shape, i), echo);
    const pad = (kernel - rate) / 2;
    const weights = [l.weight([before, channels, kernel], Math.sqrt(3 / before)), l.weight([channels], 0.1)];
    const longer = l.op('ConvTranspose', [leaky(l, x, 0.1), ...weights], {
      ...{ kernel_shape: [kernel], strides: [rate], pads: [pad, pad], dilations: [1], group: 1 },
    });
    const even = isLast ? l.op('Pad', [longer, l.integers(0, 0, 1, 0, 0, 0)], { mode: 'reflect' }) : longer;
    const mixed = l.op('Add', [even, heard]);
    const blocks = RESIDUAL_KERNELS.map((kernel) => snakeBlock(l, mixed, { ...block, kernel }));
    x = l.op('Div', [blocks.reduce((sum, block) => l.op('Add', [sum, block])), l.number(blocks.length)]);
  }
  const scale = 0.2 / Math.sqrt(channels);
  const end = l.convolution(leaky(l, x, 0.01), channels, window + 2, { kernel: [7], scale });
  const bins = window / 2 + 1;
  return inverse(l, l.op('Exp', [l.slice(end, 1, 0, bins)]), l.op('Sin', [l.slice(end, 1, bins)]), shape);
}

/** Some of the source's spectrum, in the length that the generator has by then. */
function heardAt(l: Layers, spectrum: Value, channels: number, { rates, window }: VocoderShape, step: number): Value {
  const [kernel, stride, pad] = step === 0 ? [2 * rates[1], rates[1], (rates[1] + 1) >> 1] : [1, 1, 0];
  const { dims, data } = l.weight([channels, window + 2, kernel], 1).constant as TensorValue<'float32'>;
  const faint = data.map((x, i) => x * loudness(Math.floor(i / kernel) % (window + 2), window / 2));
  const kernels = l.constant('listening', { type: 'float32', dims, data: faint });
  const attributes = { kernel_shape: [kernel], strides: [stride], pads: [pad, pad], dilations: [1], group: 1 };
  return l.op('Conv', [spectrum, kernels, l.weight([channels], 0.1)], attributes);
}

/** Of a magnitude or an angle. The angles of the first and the last bin, which are real numbers, are 0 or ±π. */
function loudness(channel: number, last: number): number {
  if (channel <= last) return FAINT;
  return channel === last + 1 || channel === 2 * last + 1 ? 0 : FAINT * FAINT;
}

interface SnakeShape {
  readonly channels: number;
  readonly kernel: number;
  readonly style: Value;
  readonly width: number;
  readonly gain?: number;
}

/** Dilated convolutions, each after a normalization of the style and x + sin²(ax) / a: https://arxiv.org/abs/2006.08195 */
function snakeBlock(l: Layers, states: Value, { channels, kernel, style, width, gain = 1 }: SnakeShape): Value {
  const snake = (x: Value) => {
    const a = l.weight([1, channels, 1], 0.3, 1);
    const wave = l.op('Pow', [l.op('Sin', [l.op('Mul', [x, a])]), l.number(2)]);
    return l.op('Add', [x, l.op('Mul', [l.op('Div', [l.number(1), a]), wave])]);
  };
  return DILATIONS.reduce((x, dilation) => {
    const active = snake(adaptive(l, x, channels, style, width));
    const first = l.convolution(active, channels, channels, { kernel: [kernel], dilation });
    const second = snake(adaptive(l, first, channels, style, width));
    const scale = gain * Math.sqrt(3 / (channels * kernel));
    return l.op('Add', [l.convolution(second, channels, channels, { kernel: [kernel], scale }), x]);
  }, states);
}

/** Samples of a spectrum: transposed convolutions with cosines and sines, less what was padded. */
function inverse(l: Layers, magnitude: Value, phase: Value, { window, hop }: VocoderShape): Value {
  const weighed = hann(window);
  const basis = (wave: (angle: number) => number) => {
    const bins = window / 2 + 1;
    const data = Float32Array.from({ length: bins * window }, (_, i) => {
      const [bin, sample] = [Math.floor(i / window), i % window];
      const share = bin === 0 || bin === bins - 1 ? 1 : 2;
      const angle = (2 * Math.PI * bin * sample) / window;
      return (share * wave(angle) * (weighed[sample] as number)) / (1.5 * window);
    });
    return l.constant('basis', { type: 'float32', dims: [bins, 1, window], data });
  };
  const part = (wave: (angle: number) => number, op: string) =>
    l.op('ConvTranspose', [l.op('Mul', [magnitude, l.op(op, [phase])]), basis(wave)], {
      ...{ kernel_shape: [window], strides: [hop], pads: [0, 0], dilations: [1], group: 1 },
    });
  const samples = l.op('Sub', [part(Math.cos, 'Cos'), part(Math.sin, 'Sin')]);
  const trimmed = l.slice(samples, 2, window / 2, -window / 2);
  return l.op('Squeeze', [trimmed, l.integers(1)]);
}
