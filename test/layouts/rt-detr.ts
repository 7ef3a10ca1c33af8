import { modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { type ConvolutionShape, Layers } from './layers.js';
import type { Repository } from './repository.js';

export interface RtDetrShape {
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  /** Of the decoder. */
  readonly layers: number;
  readonly queries: number;
  readonly labels: number;
  /** Places that a head looks at in each level. */
  readonly points: number;
  /** Pixels of a square picture's side, a multiple of 32. */
  readonly side: number;
}

/** What the levels of features divide the picture's side by. */
const STRIDES = [8, 16, 32];

/** A backbone, an encoder of three levels, the likeliest of whose pixels become queries, and deformable attention to all of them. */
export function rtDetr(shape: RtDetrShape): Model {
  const { width, queries, labels, layers, side } = shape;
  const b = modelBuilder({ opset: 16, irVersion: 8 });
  const l = new Layers(b, 71);
  const pixels = b.input('pixel_values', 'float32', ['batch_size', 3, side, side]);
  const levels = hybridEncoder(l, shape, backbone(l, pixels, width)).map((level) =>
    conv(l, level, width, width, POINT),
  );
  const rows = levels.map((level) => l.op('Transpose', [l.reshaped(level, 0, width, -1)], { perm: [0, 2, 1] }));
  const memory = l.op('Concat', rows, { axis: 1 });
  const [states, places] = likeliest(l, shape, memory);
  let [x, reference] = [states, places];
  for (let i = 0; i < layers; i++) {
    const position = l.perceptron(reference, [4, 2 * width, width]);
    x = norm(l, l.op('Add', [x, selfAttention(l, shape, x, position)]), width);
    x = norm(l, l.op('Add', [x, deformableAttention(l, shape, l.op('Add', [x, position]), reference, memory)]), width);
    x = norm(l, l.op('Add', [x, l.perceptron(x, [width, shape.inner, width])]), width);
    const moved = l.op('Add', [l.perceptron(x, [width, width, width, 4]), logit(l, reference)]);
    reference = l.op('Sigmoid', [moved]);
  }
  b.output('logits', distinct(l, x, width, labels), 'float32', ['batch_size', queries, labels]);
  b.output('pred_boxes', reference, 'float32', ['batch_size', queries, 4]);
  return b.toModel();
}

const POINT: ConvolutionShape = { kernel: [1, 1] };
const CROSS: ConvolutionShape = { kernel: [3, 3] };

/** A convolution with the normalization of its batch in its weights. */
const conv = (l: Layers, x: Value, inputs: number, outputs: number, shape: ConvolutionShape): Value =>
  l.convolution(x, inputs, outputs, shape);

const relu = (l: Layers, x: Value): Value => l.op('Relu', [x]);

const norm = (l: Layers, x: Value, width: number): Value =>
  l.op('Add', [l.op('Mul', [l.standardized(x, -1), l.weight([width], 0.2, 1)]), l.weight([width], 0.1)]);

/** Large weights, so that the order of the likeliest does not hang on the last bits. */
const distinct = (l: Layers, x: Value, width: number, labels: number): Value =>
  l.op('Add', [l.op('MatMul', [x, l.weight([width, labels], 3)]), l.weight([labels], 0.1)]);

/** ResNet-D: three convolutions at first, and means before those that shorten. */
function backbone(l: Layers, pixels: Value, width: number): Value[] {
  const stem = [2, 1, 1].reduce(
    (x, stride, i) => relu(l, conv(l, x, i ? width / 2 : 3, width / 2, { ...CROSS, stride })),
    pixels,
  );
  const pooled = l.op('MaxPool', [stem], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] });
  const stages: Value[] = [];
  for (let i = 0, x = pooled; i < 4; i++) {
    x = residual(l, x, i ? width : width / 2, width, i ? 2 : 1);
    stages.push(x);
  }
  return stages.slice(1);
}

function residual(l: Layers, x: Value, inputs: number, outputs: number, stride: number): Value {
  const first = relu(l, conv(l, x, inputs, outputs, { ...CROSS, stride }));
  const second = conv(l, first, outputs, outputs, CROSS);
  const mean = { kernel_shape: [2, 2], strides: [2, 2], pads: [0, 0, 0, 0], ceil_mode: 1 };
  const shorter = stride > 1 ? l.op('AveragePool', [x], mean) : x;
  return relu(l, l.op('Add', [second, conv(l, shorter, inputs, outputs, POINT)]));
}

/** Attention in the smallest level, then what is small enlarged and joined with what is large, and the other way. */
function hybridEncoder(l: Layers, shape: RtDetrShape, stages: readonly Value[]): Value[] {
  const { width, side } = shape;
  const [fine, middle, coarse] = stages.map((stage) => conv(l, stage, width, width, POINT)) as [Value, Value, Value];
  const seen = encoderLayer(l, shape, coarse, side / 32);
  const lateral = [seen, middle, fine];
  const down: Value[] = [];
  let x = seen;
  for (const finer of lateral.slice(1)) {
    const own = l.silu(conv(l, x, width, width, POINT));
    down.push(own);
    const scales = l.constant('scales', { type: 'float32', dims: [4], data: Float32Array.of(1, 1, 2, 2) });
    const nearest = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
    const enlarged = l.op('Resize', [own, null, scales], nearest);
    x = joined(l, l.op('Concat', [enlarged, finer], { axis: 1 }), width);
  }
  const ends = [x];
  for (const coarser of down.reverse()) {
    const halved = l.silu(conv(l, x, width, width, { ...CROSS, stride: 2 }));
    x = joined(l, l.op('Concat', [halved, coarser], { axis: 1 }), width);
    ends.push(x);
  }
  return ends;
}

function encoderLayer(l: Layers, shape: RtDetrShape, pixels: Value, side: number): Value {
  const { width, inner } = shape;
  const rows = l.op('Transpose', [l.reshaped(pixels, 0, width, -1)], { perm: [0, 2, 1] });
  const placed = l.weight([1, side * side, width], 1);
  const x = norm(l, l.op('Add', [rows, selfAttention(l, shape, rows, placed)]), width);
  const wide = l.perceptron(x, [width, inner, width], (y) => l.gelu(y));
  const end = norm(l, l.op('Add', [x, wide]), width);
  return l.reshaped(l.op('Transpose', [end], { perm: [0, 2, 1] }), -1, width, side, side);
}

/** Convolutions of 3 × 3 and 1 × 1 side by side, three times, beside one that passes them by. */
function joined(l: Layers, x: Value, width: number): Value {
  const beside = (y: Value) => l.silu(l.op('Add', [conv(l, y, width, width, CROSS), conv(l, y, width, width, POINT)]));
  const through = [0, 1, 2].reduce(beside, l.silu(conv(l, x, 2 * width, width, POINT)));
  return l.op('Add', [through, l.silu(conv(l, x, 2 * width, width, POINT))]);
}

/** Positions belong to queries and keys, not to values. */
function selfAttention(l: Layers, { width, heads }: RtDetrShape, x: Value, position: Value): Value {
  const size = width / heads;
  const placed = l.op('Add', [x, position]);
  const split = (y: Value) => l.reshaped(l.splitHeads(y, heads, size), -1, l.sizeOf(x, 1), size);
  const q = split(l.op('Mul', [l.linear(placed, width, width), l.number(1 / Math.sqrt(size))]));
  const [k, v] = [split(l.linear(placed, width, width)), split(l.linear(x, width, width))];
  const weights = l.op('Softmax', [l.op('MatMul', [q, l.op('Transpose', [k], { perm: [0, 2, 1] })])], { axis: -1 });
  const seen = l.reshaped(l.op('MatMul', [weights, v]), -1, heads, l.sizeOf(x, 1), size);
  return l.linear(l.mergeHeads(seen, width), width, width);
}

/** The pixels with the highest scores, [batch, queries, width], and the boxes that they propose. */
function likeliest(l: Layers, shape: RtDetrShape, memory: Value): [states: Value, places: Value] {
  const { width, labels, queries } = shape;
  const { anchors, valid } = anchorsOf(l, shape);
  const states = norm(l, l.linear(l.op('Mul', [valid, memory]), width, width), width);
  const scores = distinct(l, states, width, labels);
  const boxes = l.op('Add', [l.perceptron(states, [width, width, width, 4]), anchors]);
  const best = l.op('ReduceMax', [scores], { axes: [-1], keepdims: 0 });
  const [, indices] = l.b.node('TopK', [best, l.integers(queries)], { axis: 1, largest: 1, sorted: 1 }, { outputs: 2 });
  const chosen = (values: Value, columns: number) => {
    const repeated = l.op('Tile', [l.unsqueezed(indices, -1), l.integers(1, 1, columns)]);
    return l.op('GatherElements', [values, repeated], { axis: 1 });
  };
  return [chosen(states, width), l.op('Sigmoid', [chosen(boxes, 4)])];
}

/** As logits, [1, pixels, 4], a box around each pixel of each level, and 1 where it lies within the picture. */
function anchorsOf(l: Layers, { side }: RtDetrShape) {
  const boxes = STRIDES.flatMap((stride, level) => {
    const cells = side / stride;
    return Array.from({ length: cells ** 2 }, (_, i) => {
      const size = 0.05 * 2 ** level;
      return [((i % cells) + 0.5) / cells, (Math.floor(i / cells) + 0.5) / cells, size, size];
    });
  });
  const data = Float32Array.from(boxes.flat(), (x) => Math.log(x / (1 - x)));
  return {
    anchors: l.constant('anchors', { type: 'float32', dims: [1, boxes.length, 4], data }),
    valid: l.constant('valid', {
      type: 'float32',
      dims: [1, boxes.length, 1],
      data: new Float32Array(boxes.length).fill(1),
    }),
  };
}

function logit(l: Layers, x: Value): Value {
  const clip = (y: Value, ...bounds: readonly [number] | readonly [number, number]) =>
    l.op('Clip', [y, ...bounds.map((bound) => l.number(bound))]);
  const inside = clip(x, 0, 1);
  return l.op('Log', [l.op('Div', [clip(inside, 1e-5), clip(l.op('Sub', [l.number(1), inside]), 1e-5)])]);
}

/** Each head of each query looks at a few places of each level, around its box. */
function deformableAttention(l: Layers, shape: RtDetrShape, x: Value, reference: Value, memory: Value): Value {
  const { width, heads, queries, points, side } = shape;
  const [levels, size] = [STRIDES.length, width / heads];
  const values = l.reshaped(l.linear(memory, width, width), 0, -1, heads, size);
  const looked = 2 * heads * levels * points;
  const offsets = l.op('Add', [l.op('MatMul', [x, l.weight([width, looked], 1)]), l.weight([looked], 2)]);
  const weights = l.op('Softmax', [l.reshaped(l.linear(x, width, looked / 2), 0, 0, heads, levels * points)], {
    axis: -1,
  });
  const box = l.unsqueezed(l.unsqueezed(reference, 2), 3);
  const around = l.unsqueezed(box, 4);
  const [center, extent] = [l.slice(around, 5, 0, 2), l.slice(around, 5, 2)];
  const apart = l.op('Div', [l.reshaped(offsets, 0, 0, heads, levels, points, 2), l.number(points)]);
  const moved = l.op('Mul', [l.op('Mul', [apart, extent]), l.number(0.5)]);
  const grid = l.op('Sub', [l.op('Mul', [l.op('Add', [center, moved]), l.number(2)]), l.number(1)]);
  const cells = STRIDES.map((stride) => side / stride);
  const counts = l.integers(...cells.map((count) => count ** 2));
  const apartLevels = l.b.node('Split', [values, counts], { axis: 1 }, { outputs: levels as 3 });
  const sampled = apartLevels.map((level, i) => {
    const count = cells[i] as number;
    const channels = l.op('Transpose', [l.reshaped(level, 0, count ** 2, width)], { perm: [0, 2, 1] });
    const at = l.op('Transpose', [l.op('Gather', [grid, l.integer(i)], { axis: 3 })], { perm: [0, 2, 1, 3, 4] });
    const inputs = [l.reshaped(channels, -1, size, count, count), l.reshaped(at, -1, queries, points, 2)];
    const sample = l.op('GridSample', inputs, { mode: 'bilinear', padding_mode: 'zeros', align_corners: 0 });
    return l.unsqueezed(sample, 3);
  });
  const all = l.reshaped(l.op('Concat', sampled, { axis: 3 }), 0, 0, 0, levels * points);
  const ordered = l.op('Transpose', [weights], { perm: [0, 2, 1, 3] });
  const weighed = l.op('Mul', [all, l.reshaped(ordered, -1, 1, queries, levels * points)]);
  const sum = l.op('ReduceSum', [weighed, l.integers(-1)], { keepdims: 0 });
  const seen = l.op('Transpose', [l.reshaped(sum, -1, width, queries)], { perm: [0, 2, 1] });
  return l.linear(seen, width, width);
}

/** RT-DETR with all that object-detection wants of it. */
export const realTimeDetector = (shape: RtDetrShape): Repository => ({
  json: {
    'config.json': {
      ...{ architectures: ['RTDetrForObjectDetection'], model_type: 'rt_detr', d_model: shape.width },
      ...{ num_queries: shape.queries, decoder_layers: shape.layers, num_feature_levels: STRIDES.length },
      id2label: Object.fromEntries(Array.from({ length: shape.labels }, (_, i) => [i, `label ${i}`])),
    },
    'preprocessor_config.json': {
      ...{ image_processor_type: 'RTDetrImageProcessor', do_resize: true, do_rescale: true, do_normalize: false },
      ...{ size: { height: shape.side, width: shape.side }, rescale_factor: 1 / 255, resample: 2, do_pad: false },
      ...{ image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] },
    },
  },
  models: { model: () => rtDetr(shape) },
});
