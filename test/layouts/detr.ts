import { modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { Layers } from './layers.js';
import type { Repository } from './repository.js';

export interface DetrShape {
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  /** Of the encoder and of the decoder. */
  readonly layers: number;
  readonly queries: number;
  readonly labels: number;
  /** Pixels of a square picture's side; the backbone divides it by 4. */
  readonly side: number;
}

/** Sides of the mask that transformers.js feeds. */
const MASK = 64;

/** Convolutions, and queries that look for objects in what these see. */
export function detr(shape: DetrShape): Model {
  const { width, layers, queries, labels, side } = shape;
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const l = new Layers(b, 54);
  const pixels = b.input('pixel_values', 'float32', ['batch_size', 3, side, side]);
  const mask = b.input('pixel_mask', 'int64', ['batch_size', MASK, MASK]);
  const seen = backbone(l, pixels, width);
  const place = rows(l, sinePlaces(l, mask, shape), width);
  const placed = (x: Value) => l.op('Add', [x, place]);

  let memory = rows(l, seen, width);
  for (let i = 0; i < layers; i++) {
    const own = attention(l, shape, placed(memory), placed(memory), memory);
    memory = forward(l, shape, l.layerNorm(l.op('Add', [memory, own]), width));
  }
  const asked = l.weight([1, queries, width], 2);
  let x = l.op('Sub', [asked, asked]);
  for (let i = 0; i < layers; i++) {
    const asking = l.op('Add', [x, asked]);
    x = l.layerNorm(l.op('Add', [x, attention(l, shape, asking, asking, x)]), width);
    const found = attention(l, shape, l.op('Add', [x, asked]), placed(memory), memory);
    x = forward(l, shape, l.layerNorm(l.op('Add', [x, found]), width));
  }
  const states = l.layerNorm(x, width);
  const wide = l.op('Relu', [l.linear(l.op('Relu', [l.linear(states, width, width)]), width, width)]);
  b.output('logits', l.linear(states, width, labels + 1), 'float32', ['batch_size', queries, labels + 1]);
  b.output('pred_boxes', l.op('Sigmoid', [l.linear(wide, width, 4)]), 'float32', ['batch_size', queries, 4]);
  return b.toModel();
}

function backbone(l: Layers, pixels: Value, width: number): Value {
  const convolution = (x: Value, inputs: number, outputs: number, side: number, stride: number) => {
    const pad = (side - 1) / 2;
    const kernel = l.weight([outputs, inputs, side, side], 1 / Math.sqrt(inputs * side));
    const attributes = { kernel_shape: [side, side], strides: [stride, stride], pads: [pad, pad, pad, pad], group: 1 };
    return l.op('Conv', [x, kernel, l.weight([outputs], 0.1)], { ...attributes, dilations: [1, 1] });
  };
  const first = l.op('Relu', [convolution(pixels, 3, width, 3, 2)]);
  const second = convolution(l.op('Relu', [convolution(first, width, width, 3, 1)]), width, width, 3, 1);
  const joined = l.op('Relu', [l.op('Add', [first, second])]);
  const pooled = l.op('MaxPool', [joined], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] });
  return convolution(pooled, width, width, 1, 1);
}

/** [batch, width, side, side] as [batch, pixels, width]. */
const rows = (l: Layers, x: Value, width: number): Value =>
  l.op('Transpose', [l.op('Reshape', [x, l.integers(0, width, -1)])], { perm: [0, 2, 1] });

/** [batch, width, side, side]: sines and cosines of how many pixels of the picture lie above, and to the left. */
function sinePlaces(l: Layers, mask: Value, { width, side }: DetrShape): Value {
  const small = side / 4;
  const floats = l.op('Cast', [l.op('Unsqueeze', [mask, l.integers(1)])], { to: 1 });
  const scales = l.constant('scales', {
    type: 'float32',
    dims: [4],
    data: Float32Array.of(1, 1, small / MASK, small / MASK),
  });
  const resized = l.op('Resize', [floats, null, scales], {
    ...{ mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
  });
  const kept = l.op('Squeeze', [resized, l.integers(1)]);
  const half = width / 2;
  const periods = Float32Array.from({ length: half }, (_, i) => 10000 ** ((2 * Math.floor(i / 2)) / half));
  const period = l.constant('periods', { type: 'float32', dims: [half], data: periods });
  const along = (axis: number): Value => {
    const counted = l.op('CumSum', [kept, l.integer(axis)]);
    const last = l.op('Slice', [counted, l.integers(-1), l.integers(2 ** 31), l.integers(axis)]);
    const share = l.op('Mul', [l.op('Div', [counted, l.op('Add', [last, l.number(1e-3)])]), l.number(2 * Math.PI)]);
    const angles = l.op('Div', [l.op('Unsqueeze', [share, l.integers(3)]), period]);
    const every = (from: number) =>
      l.op('Slice', [angles, l.integers(from), l.integers(2 ** 31), l.integers(3), l.integers(2)]);
    const pairs = [l.op('Sin', [every(0)]), l.op('Cos', [every(1)])].map((x) => l.op('Unsqueeze', [x, l.integers(4)]));
    return l.op('Reshape', [l.op('Concat', pairs, { axis: 4 }), l.integers(0, 0, 0, half)]);
  };
  return l.op('Transpose', [l.op('Concat', [along(1), along(2)], { axis: 3 })], { perm: [0, 3, 1, 2] });
}

/** Queries and keys have large weights: objects could not be told apart if each query saw the mean of the picture. */
function attention(l: Layers, { width, heads }: DetrShape, q: Value, k: Value, v: Value): Value {
  const split = (x: Value) => l.splitHeads(x, heads, width / heads);
  const [asked, found] = [q, k].map((x) => split(l.op('MatMul', [x, l.weight([width, width], 0.8)]))) as [Value, Value];
  const attended = l.attention(asked, found, split(l.linear(v, width, width)), null, width / heads);
  return l.linear(l.mergeHeads(attended, width), width, width);
}

function forward(l: Layers, { width, inner }: DetrShape, x: Value): Value {
  const wide = l.op('Relu', [l.linear(x, width, inner)]);
  return l.layerNorm(l.op('Add', [x, l.linear(wide, inner, width)]), width);
}

/** DETR with all that object-detection wants of it. */
export const detector = (shape: DetrShape): Repository => ({
  json: {
    'config.json': {
      ...{ architectures: ['DetrForObjectDetection'], model_type: 'detr', d_model: shape.width },
      ...{ num_queries: shape.queries, encoder_layers: shape.layers, decoder_layers: shape.layers },
      id2label: Object.fromEntries(Array.from({ length: shape.labels + 1 }, (_, i) => [i, `label ${i}`])),
    },
    'preprocessor_config.json': {
      ...{ image_processor_type: 'DetrFeatureExtractor', feature_extractor_type: 'DetrFeatureExtractor' },
      ...{ do_resize: true, size: { height: shape.side, width: shape.side }, do_rescale: true, do_normalize: true },
      ...{ image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225], resample: 2 },
    },
  },
  models: { model: () => detr(shape) },
});
