import { type AttributeInputs, type ModelBuilder, modelBuilder, tensor } from '../src/builder/index.js';
import type { Value } from '../src/graph/graph.js';
import type { TensorValue } from '../src/tensor/tensor-value.js';
import { type Random, randomFloats, seeded } from './inputs.js';

// Layers of the models in kinds.ts. Weights are random but seeded, with a variance that keeps activations at their magnitude.

interface Model {
  readonly b: ModelBuilder;
  readonly random: Random;
  constants: number;
}

/** A function that adds a layer to a model. */
export type Layer = (model: Model, x: Value) => Value;

/** The bytes of a model with one float input `x` and one output `y`. */
export function layered(dims: readonly number[], layers: readonly Layer[]): Uint8Array {
  const model: Model = { b: modelBuilder({ opset: 20 }), random: seeded(7), constants: 0 };
  const x = model.b.input('x', 'float32', dims);
  model.b.output('y', inTurn(...layers)(model, x));
  return model.b.toBytes();
}

export const inTurn =
  (...layers: readonly Layer[]): Layer =>
  (model, x) =>
    layers.reduce((value, layer) => layer(model, value), x);

export const times = (count: number, ...layers: readonly Layer[]): Layer =>
  inTurn(...Array.from({ length: count }, () => layers).flat());

export const op =
  (name: string, attributes: AttributeInputs = {}): Layer =>
  ({ b }, x) =>
    b.op(name, [x], attributes);

export const relu = op('Relu');

export const residual =
  (...layers: readonly Layer[]): Layer =>
  (model, x) =>
    model.b.op('Add', [inTurn(...layers)(model, x), x]);

/** Applies both layers to the input and concatenates their channels. */
export const beside =
  (some: Layer, others: Layer): Layer =>
  (model, x) =>
    model.b.op('Concat', [some(model, x), others(model, x)], { axis: 1 });

/** Applies the layers to one half of the channels; the other half is passed through. */
export const halfThrough =
  (...layers: readonly Layer[]): Layer =>
  (model, x) => {
    const [past, through] = model.b.node('Split', [x], { axis: 1, num_outputs: 2 }, { outputs: 2 });
    return model.b.op('Concat', [past, inTurn(...layers)(model, through)], { axis: 1 });
  };

/** x · sigmoid of the other half of the channels. */
export const gated: Layer = ({ b }, x) => {
  const [value, gate] = b.node('Split', [x], { axis: 1, num_outputs: 2 }, { outputs: 2 });
  return b.op('Mul', [value, b.op('Sigmoid', [gate])]);
};

function weights(model: Model, dims: number[], fanIn: number): Value {
  const drawn = randomFloats('', dims, model.random).data as Float32Array;
  const scale = 1 / Math.sqrt(fanIn);
  return constant(model, { type: 'float32', dims, data: drawn.map((x) => x * scale) });
}

const constant = (model: Model, value: TensorValue): Value => model.b.constant(`c${model.constants++}`, value);

const size = (dims: readonly number[]) => dims.reduce((a, b) => a * b, 1);

export interface Convolution {
  readonly kernel: readonly number[];
  readonly strides?: readonly number[];
  readonly dilations?: readonly number[];
  readonly group?: number;
}

/** A convolution with bias; its pads keep the size if strides are 1. */
export const conv =
  (channels: number, outChannels: number, { kernel, strides, dilations, group = 1 }: Convolution): Layer =>
  (model, x) => {
    const half = kernel.map((taps, i) => ((taps - 1) * (dilations?.[i] ?? 1)) >> 1);
    const w = weights(model, [outChannels, channels / group, ...kernel], (channels / group) * size(kernel));
    const bias = weights(model, [outChannels], 100);
    return model.b.op('Conv', [x, w, bias], { pads: [...half, ...half], strides, dilations, group });
  };

/** A transposed convolution that doubles each axis. */
export const upConv =
  (channels: number, outChannels: number, rank: number): Layer =>
  (model, x) => {
    const twos = new Array<number>(rank).fill(2);
    const w = weights(model, [channels, outChannels, ...twos], channels);
    return model.b.op('ConvTranspose', [x, w], { strides: twos });
  };

/** Moves channel c of `groups` to channel (c mod n)·groups + c div n, as PyTorch exports it. */
export const shuffle =
  (channels: number, groups: number, spatial: readonly number[]): Layer =>
  (model, x) => {
    const shape = (...dims: number[]) => constant(model, tensor('int64', [dims.length], dims));
    const apart = model.b.op('Reshape', [x, shape(1, groups, channels / groups, ...spatial)]);
    const swapped = model.b.op('Transpose', [apart], { perm: [0, 2, 1, 3, 4] });
    return model.b.op('Reshape', [swapped, shape(1, channels, ...spatial)]);
  };

export const dense =
  (inputs: number, outputs: number): Layer =>
  (model, x) => {
    const product = model.b.op('MatMul', [x, weights(model, [inputs, outputs], inputs)]);
    return model.b.op('Add', [product, weights(model, [outputs], 100)]);
  };

export interface Recurrence {
  readonly kind: 'LSTM' | 'GRU';
  readonly inputs: number;
  readonly hidden: number;
  readonly bothWays?: boolean;
  /** GRU as in PyTorch. */
  readonly linearBeforeReset?: boolean;
}

/** [steps, batch, inputs] to [steps, batch, directions · hidden] */
export const recurrent =
  ({ kind, inputs, hidden, bothWays = false, linearBeforeReset = kind === 'GRU' }: Recurrence): Layer =>
  (model, x) => {
    const directions = bothWays ? 2 : 1;
    const rows = hidden * (kind === 'LSTM' ? 4 : 3);
    const w = weights(model, [directions, rows, inputs], inputs);
    const r = weights(model, [directions, rows, hidden], hidden);
    const bias = weights(model, [directions, 2 * rows], 100);
    const attributes = {
      hidden_size: hidden,
      direction: bothWays ? 'bidirectional' : 'forward',
      linear_before_reset: kind === 'GRU' ? linearBeforeReset : undefined,
    };
    const [y] = model.b.node(kind, [x, w, r, bias], attributes, { outputs: 1 });
    const swapped = model.b.op('Transpose', [y], { perm: [0, 2, 1, 3] });
    return model.b.op('Reshape', [swapped, constant(model, tensor('int64', [3], [0, 0, -1]))]);
  };
