import { modelBuilder } from '../../src/builder/index.js';
import type { Model, Value } from '../../src/graph/graph.js';
import { Layers } from './layers.js';
import type { Repository } from './repository.js';

export interface SamShape {
  readonly vision: SamVisionShape;
  readonly decoder: SamDecoderShape;
  /** Channels that the two share. */
  readonly width: number;
}

export interface SamVisionShape {
  readonly width: number;
  readonly inner: number;
  readonly heads: number;
  readonly layers: number;
  /** Pixels of a square picture's side, and of a patch's. */
  readonly side: number;
  readonly patch: number;
  /** Patches of a window's side, and the layers that see all windows. */
  readonly window: number;
  readonly global: readonly number[];
}

export interface SamDecoderShape {
  readonly inner: number;
  readonly heads: number;
  readonly layers: number;
}

const MASKS = 4;

const builder = () => modelBuilder({ opset: 14, irVersion: 7 });

const norm = (l: Layers, x: Value, width: number): Value =>
  l.op('Add', [l.op('Mul', [l.standardized(x, -1, 1e-6), l.weight([width], 0.2, 1)]), l.weight([width], 0.1)]);

/** Normalizes the channels of each pixel, [batch, channels, side, side]. */
const pixelNorm = (l: Layers, x: Value, width: number): Value =>
  l.op('Add', [
    l.op('Mul', [l.standardized(x, 1, 1e-6), l.weight([width, 1, 1], 0.2, 1)]),
    l.weight([width, 1, 1], 0.1),
  ]);

/** A ViT that sees windows, in some layers all of them, with positions relative to the query. */
export function samVisionEncoder({ vision, width }: SamShape): Model {
  const { side, patch, layers, window, global } = vision;
  const grid = side / patch;
  const b = builder();
  const l = new Layers(b, 61);
  const pixels = b.input('pixel_values', 'float32', ['batch_size', 3, side, side]);
  const cut = l.convolution(pixels, 3, vision.width, { kernel: [patch, patch], stride: patch, pads: [0, 0] });
  const placed = l.weight([1, grid, grid, vision.width], 0.5);
  let x = l.op('Add', [l.op('Transpose', [cut], { perm: [0, 2, 3, 1] }), placed]);
  for (let i = 0; i < layers; i++) {
    const own = norm(l, x, vision.width);
    const seen = global.includes(i) ? attention(l, own, grid, vision) : inWindows(l, own, window, vision);
    x = l.op('Add', [x, seen]);
    const wide = [vision.width, vision.inner, vision.width];
    x = l.op('Add', [x, l.perceptron(norm(l, x, vision.width), wide, (y) => l.gelu(y))]);
  }
  const channels = l.op('Transpose', [x], { perm: [0, 3, 1, 2] });
  const neck = pixelNorm(l, l.convolution(channels, vision.width, width, { kernel: [1, 1], hasBias: false }), width);
  const end = pixelNorm(l, l.convolution(neck, width, width, { kernel: [3, 3], hasBias: false }), width);
  const dims = ['batch_size', width, grid, grid];
  b.output('image_embeddings', end, 'float32', dims);
  b.output('image_positional_embeddings', gridPlaces(l, pixels, width, grid), 'float32', dims);
  return b.toModel();
}

/** Where each patch is, for each picture of the batch. */
function gridPlaces(l: Layers, pixels: Value, width: number, grid: number): Value {
  const at = Float32Array.from({ length: 2 * grid * grid }, (_, i) => {
    const pixel = i >> 1;
    return ((i & 1 ? Math.floor(pixel / grid) : pixel % grid) + 0.5) / grid;
  });
  const points = l.constant('grid', { type: 'float32', dims: [grid, grid, 2], data: at });
  const places = l.op('Transpose', [waves(l, points, width)], { perm: [2, 0, 1] });
  return l.op('Tile', [l.unsqueezed(places, 0), l.dims(l.sizeOf(pixels, 0), 1, 1, 1)]);
}

/** The same frequencies in both files. */
function waves(l: Layers, points: Value, width: number): Value {
  const frequencies = new Layers(l.b, 67).weight([2, width / 2], 1.5);
  const signed = l.op('Sub', [l.op('Mul', [points, l.number(2)]), l.number(1)]);
  const angles = l.op('Mul', [l.op('MatMul', [signed, frequencies]), l.number(2 * Math.PI)]);
  return l.op('Concat', [l.op('Sin', [angles]), l.op('Cos', [angles])], { axis: -1 });
}

/** Attention within windows, whose last ones are padded. */
function inWindows(l: Layers, x: Value, window: number, shape: SamVisionShape): Value {
  const { width } = shape;
  const [rows, columns] = [1, 2].map((axis) => l.sizeOf(x, axis)) as [Value, Value];
  const size = l.integer(window);
  const [below, beside] = [rows, columns].map((length) =>
    l.op('Mod', [l.op('Sub', [size, l.op('Mod', [length, size])]), size]),
  ) as [Value, Value];
  const padded = l.op('Pad', [x, l.dims(0, 0, 0, 0, 0, below, beside, 0), l.number(0)], { mode: 'constant' });
  const [tall, wide] = [l.op('Add', [rows, below]), l.op('Add', [columns, beside])];
  const [down, across] = [l.op('Div', [tall, size]), l.op('Div', [wide, size])];
  const swap = { perm: [0, 1, 3, 2, 4, 5] };
  const cut = l.op('Transpose', [l.reshaped(padded, -1, down, window, across, window, width)], swap);
  const seen = attention(l, l.reshaped(cut, -1, window, window, width), window, shape);
  const joined = l.op('Transpose', [l.reshaped(seen, -1, down, across, window, window, width)], swap);
  const ends = l.op('Concat', [l.unsqueezed(rows, 0), l.unsqueezed(columns, 0)], { axis: 0 });
  return l.op('Slice', [l.reshaped(joined, -1, tall, wide, width), l.integers(0, 0), ends, l.integers(1, 2)]);
}

/** [batch, side, side, width], of which each pixel sees all; scores have a part for the row and one for the column. */
function attention(l: Layers, x: Value, side: number, { width, heads }: SamVisionShape): Value {
  const [size, count] = [width / heads, side * side];
  const joined = l.reshaped(l.linear(x, width, 3 * width), -1, count, 3, heads, size);
  const parts = l.reshaped(l.op('Transpose', [joined], { perm: [2, 0, 3, 1, 4] }), 3, -1, count, size);
  const [q, k, v] = l.b
    .node('Split', [parts, l.integers(1, 1, 1)], { axis: 0 }, { outputs: 3 })
    .map((part) => l.op('Squeeze', [part, l.integers(0)])) as [Value, Value, Value];
  const scaled = l.op('Mul', [q, l.number(1 / Math.sqrt(size))]);
  const scores = l.op('MatMul', [scaled, l.op('Transpose', [k], { perm: [0, 2, 1] })]);
  const pixels = l.reshaped(q, -1, side, side, size);
  const byRow = l.op('Einsum', [pixels, relative(l, side, size)], { equation: 'bhwc,hkc->bhwk' });
  const byColumn = l.op('Einsum', [pixels, relative(l, side, size)], { equation: 'bhwc,wkc->bhwk' });
  const placed = l.op('Add', [l.reshaped(scores, -1, side, side, side, side), l.unsqueezed(byRow, 4)]);
  const all = l.reshaped(l.op('Add', [placed, l.unsqueezed(byColumn, 3)]), -1, count, count);
  const seen = l.op('MatMul', [l.op('Softmax', [all], { axis: -1 }), v]);
  const apart = l.op('Transpose', [l.reshaped(seen, -1, heads, side, side, size)], { perm: [0, 2, 3, 1, 4] });
  return l.linear(l.reshaped(apart, -1, side, side, width), width, width);
}

/** [side, side, size]: a row for each distance of a key from a query. */
function relative(l: Layers, side: number, size: number): Value {
  const apart = BigInt64Array.from({ length: side * side }, (_, i) =>
    BigInt(Math.floor(i / side) - (i % side) + side - 1),
  );
  const indices = l.constant('distances', { type: 'int64', dims: [side, side], data: apart });
  return l.op('Gather', [l.weight([2 * side - 1, size], 0.3), indices]);
}

/** Points to tokens, and a decoder in which these and the picture see each other. */
export function samMaskDecoder(shape: SamShape): Model {
  const { vision, decoder, width } = shape;
  const grid = vision.side / vision.patch;
  const b = builder();
  const l = new Layers(b, 62);
  const [batch, points] = ['batch_size', 'point_batch_size'];
  const at = b.input('input_points', 'float32', [batch, points, 'nb_points_per_image', 2]);
  const labels = b.input('input_labels', 'int64', [batch, points, 'nb_points_per_image']);
  const [image, places] = ['image_embeddings', 'image_positional_embeddings'].map((name) =>
    b.input(name, 'float32', [batch, width, grid, grid]),
  ) as [Value, Value];
  const asked = l.sizeOf(at, 1);
  const dense = l.reshaped(l.weight([1, width], 0.5), 1, -1, 1, 1);
  const masked = l.op('Add', [image, l.expanded(dense, l.sizeOf(image, 0), -1, grid, grid)]);
  const [seen, placed] = [masked, places].map((x) => pixelRows(l, perPoint(l, x, asked), asked, width)) as [
    Value,
    Value,
  ];
  const [tokens, pixels] = twoWay(l, decoder, width, promptTokens(l, shape, at, labels), seen, placed);

  const token = (i: number) => l.op('Gather', [tokens, l.integer(i)], { axis: 2 });
  const small = width / 8;
  const hyper = Array.from({ length: MASKS }, (_, i) =>
    l.unsqueezed(l.perceptron(token(i + 1), [width, width, width, small]), 2),
  );
  const picture = l.reshaped(l.op('Transpose', [pixels], { perm: [0, 1, 3, 2] }), -1, width, grid, grid);
  const drawn = l.reshaped(upscaled(l, picture, width), -1, asked, small, 16 * grid * grid);
  const masks = l.op('MatMul', [l.op('Concat', hyper, { axis: 2 }), drawn]);
  const scores = l.perceptron(token(0), [width, width, width, MASKS]);
  b.output('iou_scores', l.slice(scores, 2, 1), 'float32', [batch, points, MASKS - 1]);
  const several = l.slice(l.reshaped(masks, -1, asked, MASKS, 4 * grid, 4 * grid), 2, 1);
  b.output('pred_masks', several, 'float32', [batch, points, MASKS - 1, 4 * grid, 4 * grid]);
  return b.toModel();
}

/** The tokens that become a quality and masks, and one for each point and for the end. */
function promptTokens(l: Layers, { vision, width }: SamShape, points: Value, labels: Value): Value {
  const [batch, asked] = [0, 1].map((axis) => l.sizeOf(points, axis)) as [Value, Value];
  const filled = (type: 'float32' | 'int64', dims: readonly (Value | number)[]) => {
    const data = type === 'float32' ? Float32Array.of(0) : BigInt64Array.of(-1n);
    return l.op('ConstantOfShape', [l.dims(...dims)], { value: { type, dims: [1], data } as never });
  };
  const centered = l.op('Add', [points, l.number(0.5)]);
  const all = l.op('Concat', [centered, filled('float32', [batch, asked, 1, 2])], { axis: 2 });
  const kinds = l.unsqueezed(l.op('Concat', [labels, filled('int64', [batch, asked, 1])], { axis: 2 }), 3);
  const isKind = (kind: number) => l.op('Equal', [kinds, l.integer(kind)]);

  const scaled = [0, 1].reduce((x, axis) => divided(l, x, axis, vision.side), all);
  let x = waves(l, scaled, width);
  x = l.op('Where', [isKind(-1), l.weight([1, width], 0.5), x]);
  x = l.op('Where', [l.op('Not', [isKind(-10)]), x, l.number(0)]);
  for (const kind of [0, 1]) x = l.op('Where', [isKind(kind), l.op('Add', [x, l.weight([1, width], 0.5)]), x]);

  const own = l.op('Concat', [l.weight([1, width], 0.7), l.weight([MASKS, width], 0.7)], { axis: 0 });
  const repeated = l.op('Tile', [l.unsqueezed(own, 0, 1), l.dims(batch, asked, 1, 1)]);
  return l.op('Concat', [repeated, x], { axis: 2 });
}

/** One coordinate of each point divided, as an assignment to a part of a tensor is written. */
function divided(l: Layers, points: Value, coordinate: number, by: number): Value {
  const sizes = [0, 1, 2].map((axis) => l.sizeOf(points, axis));
  const along = (axis: number) =>
    l.reshaped(
      l.op('Range', [l.integer(0), sizes[axis] as Value, l.integer(1)]),
      ...sizes.map((_, i) => (i === axis ? -1 : 1)),
    );
  const indices = [...sizes.map((_, axis) => along(axis)), l.integers(coordinate)].map((index) =>
    l.unsqueezed(l.op('Expand', [index, l.dims(...sizes)]), 3),
  );
  const chosen = l.op('Gather', [points, l.integer(coordinate)], { axis: 3 });
  const quotients = l.op('Div', [chosen, l.number(by)]);
  return l.op('ScatterND', [points, l.op('Concat', indices, { axis: 3 }), quotients]);
}

/** Each picture once for each of its sets of points, [batch · sets, …], as `repeat_interleave` is written. */
function perPoint(l: Layers, x: Value, asked: Value): Value {
  const values = l.op('Concat', [l.integers(1), l.unsqueezed(asked, 0)], { axis: 0 });
  const repeats = l.op('OneHot', [l.integers(1), l.integer(5), values], { axis: -1 });
  const repeated = l.op('Tile', [l.unsqueezed(x, 1), l.reshaped(repeats, -1)]);
  const end = l.slice(l.op('Shape', [x]), 0, 1);
  return l.op('Reshape', [repeated, l.op('Concat', [l.integers(-1), end], { axis: 0 })]);
}

/** [batch · sets, width, side, side] as [batch, sets, pixels, width]. */
const pixelRows = (l: Layers, x: Value, asked: Value, width: number): Value =>
  l.op('Transpose', [l.reshaped(x, -1, asked, width, l.op('Mul', [l.sizeOf(x, 2), l.sizeOf(x, 3)]))], {
    perm: [0, 1, 3, 2],
  });

/** Tokens and pixels that see each other in turn. */
function twoWay(
  l: Layers,
  { heads, inner, layers }: SamDecoderShape,
  width: number,
  tokens: Value,
  pixels: Value,
  places: Value,
): [tokens: Value, pixels: Value] {
  const see = (q: Value, k: Value, v: Value, narrow = width / 2) => attended(l, [q, k, v], width, narrow, heads);
  const add = (x: Value, y: Value) => l.op('Add', [x, y]);
  let [asking, seen] = [tokens, pixels];
  for (let i = 0; i < layers; i++) {
    const own = i === 0 ? asking : add(asking, tokens);
    const alone = see(own, own, asking, width);
    asking = norm(l, i === 0 ? alone : add(asking, alone), width);
    asking = norm(l, add(asking, see(add(asking, tokens), add(seen, places), seen)), width);
    asking = norm(l, add(asking, l.perceptron(asking, [width, inner, width])), width);
    seen = norm(l, add(seen, see(add(seen, places), add(asking, tokens), asking)), width);
  }
  return [norm(l, add(asking, see(add(asking, tokens), add(seen, places), seen)), width), seen];
}

/** Attention in fewer channels; large weights, or all tokens would see the mean of the picture. */
function attended(
  l: Layers,
  inputs: readonly [Value, Value, Value],
  width: number,
  narrow: number,
  heads: number,
): Value {
  const size = narrow / heads;
  const [q, k, v] = inputs.map((x) => {
    const made = l.op('Add', [
      l.op('MatMul', [x, l.weight([width, narrow], 2 / Math.sqrt(width))]),
      l.weight([narrow], 0.1),
    ]);
    const [batch, sets, count] = [0, 1, 2].map((axis) => l.sizeOf(made, axis)) as [Value, Value, Value];
    const split = l.reshaped(made, l.op('Mul', [batch, sets]), count, heads, size);
    return l.op('Transpose', [split], { perm: [0, 2, 1, 3] });
  }) as [Value, Value, Value];
  const scores = l.op('MatMul', [q, l.op('Transpose', [k], { perm: [0, 1, 3, 2] })]);
  const weights = l.op('Softmax', [l.op('Div', [scores, l.number(Math.sqrt(size))])], { axis: -1 });
  const joined = l.op('Transpose', [l.op('MatMul', [weights, v])], { perm: [0, 2, 1, 3] });
  const sets = l.sizeOf(inputs[0], 1);
  return l.linear(l.reshaped(joined, -1, sets, l.sizeOf(joined, 1), narrow), narrow, width);
}

/** Four times the pixels of a side, an eighth of the channels. */
function upscaled(l: Layers, x: Value, width: number): Value {
  const doubled = (of: Value, inputs: number, outputs: number) =>
    l.op('ConvTranspose', [of, l.weight([inputs, outputs, 2, 2], Math.sqrt(3 / inputs)), l.weight([outputs], 0.1)], {
      ...{ kernel_shape: [2, 2], strides: [2, 2], pads: [0, 0, 0, 0], dilations: [1, 1], group: 1 },
    });
  const first = l.gelu(pixelNorm(l, doubled(x, width, width / 4), width / 4));
  return l.gelu(doubled(first, width / 4, width / 8));
}

/** SAM with all that a `SamModel` and its processor want of it. */
export const sam = (shape: SamShape): Repository => ({
  json: {
    'config.json': {
      ...{ architectures: ['SamModel'], model_type: 'sam' },
      vision_config: { hidden_size: shape.vision.width, image_size: shape.vision.side, patch_size: shape.vision.patch },
    },
    'preprocessor_config.json': {
      ...{ image_processor_type: 'SamImageProcessor', processor_class: 'SamProcessor' },
      ...{ do_resize: true, size: { longest_edge: shape.vision.side }, do_rescale: true, rescale_factor: 1 / 255 },
      ...{ do_normalize: true, image_mean: [0.485, 0.456, 0.406], image_std: [0.229, 0.224, 0.225] },
      ...{ do_pad: true, pad_size: { height: shape.vision.side, width: shape.vision.side }, do_convert_rgb: true },
    },
  },
  models: { vision_encoder: () => samVisionEncoder(shape), prompt_encoder_mask_decoder: () => samMaskDecoder(shape) },
});
