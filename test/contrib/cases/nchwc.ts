import { type AttributeInputs, type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, normal } = draw(40);

const reals = (...value: number[]) => tensor('float32', [value.length], value);

/** Layers on images of one graph. */
function layersOf(b: ModelBuilder) {
  let count = 0;
  const constant = (value: ReturnType<typeof floats>) => b.constant(`c${count++}`, value);
  /** Weights whose channels differ, as those of networks do. */
  function weights(m: number, c: number, ...kernel: number[]) {
    const w = floats([m, c, ...kernel], 0.3);
    const data = w.data as Float32Array;
    const scales = Array.from({ length: m }, () => Math.exp(normal()));
    for (let i = 0; i < data.length; i++) data[i] = (data[i] ?? 0) * (scales[Math.floor((i * m) / data.length)] ?? 1);
    return w;
  }
  const conv = (x: Value, c: number, m: number, k = 1, attributes: AttributeInputs = {}, bias = true) =>
    b.op('Conv', [x, constant(weights(m, c, k, k)), ...(bias ? [constant(floats([m]))] : [])], {
      kernel_shape: [k, k],
      pads: Array.from({ length: 4 }, () => k >> 1),
      ...attributes,
    });
  const depthwise = (x: Value, c: number, attributes: AttributeInputs = {}) =>
    b.op('Conv', [x, constant(weights(c, 1, 3, 3)), constant(floats([c]))], {
      kernel_shape: [3, 3],
      pads: [1, 1, 1, 1],
      group: c,
      ...attributes,
    });
  const op = (name: string, x: readonly Value[], attributes: AttributeInputs = {}) => b.op(name, x, attributes);
  const clip = (x: Value, low: number, high: number) =>
    b.op('Clip', [x, constant(tensor('float32', [], [low])), constant(tensor('float32', [], [high]))]);
  const normalize = (x: Value, c: number) =>
    b.op('BatchNormalization', [
      x,
      ...[floats([c], 0.2, 1), floats([c]), floats([c]), floats([c], 0.05, 1)].map(constant),
    ]);
  const resize = (x: Value, mode: string, how: string, factor: number) =>
    b.op('Resize', [x, null, constant(reals(1, 1, factor, factor))], {
      mode,
      coordinate_transformation_mode: how,
      nearest_mode: 'floor',
    });
  return { conv, depthwise, op, clip, normalize, resize };
}

type Layers = ReturnType<typeof layersOf>;
type Network = (l: Layers, x: Value) => readonly Value[];

const pooling = { kernel_shape: [2, 2], strides: [2, 2] };

const NETWORKS: Readonly<Record<string, [channels: number, Network]>> = {
  'an image': [3, (l, x) => [l.op('Relu', [l.conv(x, 3, 16, 3)])]],
  'an image to channels that fill no blocks': [3, (l, x) => [l.op('Sigmoid', [l.conv(x, 3, 20, 3)])]],
  'fewer channels than a block, 1x1': [12, (l, x) => [l.op('Tanh', [l.conv(x, 12, 16)])]],
  'two layers': [3, (l, x) => [l.conv(l.op('Relu', [l.conv(x, 3, 16)]), 16, 8)]],
  'channels of 4': [20, (l, x) => [l.op('LeakyRelu', [l.conv(x, 20, 12)], { alpha: { type: 'float', value: 0.2 } })]],
  clipped: [16, (l, x) => [l.clip(l.conv(x, 16, 16), 0, 6)]],
  'hard sigmoid': [16, (l, x) => [l.op('HardSigmoid', [l.conv(x, 16, 16)])]],
  depthwise: [3, (l, x) => [l.clip(l.depthwise(l.conv(x, 3, 16), 16), 0, 6)]],
  'depthwise, channels that fill no blocks': [3, (l, x) => [l.depthwise(l.conv(x, 3, 20), 20, { strides: [2, 2] })]],
  'groups of a block': [3, (l, x) => [l.conv(l.conv(x, 3, 32), 16, 32, 1, { group: 2 })]],
  'a residual': [
    3,
    (l, x) => {
      const h = l.conv(x, 3, 16);
      return [l.op('Relu', [l.op('Add', [l.conv(h, 16, 16), h])])];
    },
  ],
  'a residual of padded channels': [
    3,
    (l, x) => {
      const h = l.conv(x, 3, 20);
      return [l.op('Add', [l.depthwise(h, 20), h])];
    },
  ],
  'without bias, strides, dilations, uneven padding': [
    3,
    (l, x) => [
      l.conv(l.conv(x, 3, 16, 3, { strides: [2, 1], pads: [0, 1, 2, 1] }, false), 16, 8, 1),
      l.conv(x, 3, 8, 3, { dilations: [2, 2] }),
    ],
  ],
  'the largest': [
    3,
    (l, x) => [l.op('MaxPool', [l.conv(x, 3, 16)], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] })],
  ],
  averages: [
    3,
    (l, x) => {
      const h = l.conv(x, 3, 16);
      return [
        l.op('AveragePool', [h], { ...pooling, pads: [1, 1, 0, 0] }),
        l.op('AveragePool', [h], { ...pooling, pads: [0, 0, 1, 1], count_include_pad: 1 }),
      ];
    },
  ],
  'whole planes': [
    3,
    (l, x) => {
      const h = l.conv(x, 3, 16);
      return [l.op('GlobalAveragePool', [h]), l.op('GlobalMaxPool', [h])];
    },
  ],
  'side by side': [3, (l, x) => [l.conv(l.op('Concat', [l.conv(x, 3, 16), l.conv(x, 3, 32)], { axis: 1 }), 48, 8)]],
  nearest: [3, (l, x) => [l.resize(l.conv(x, 3, 20), 'nearest', 'asymmetric', 2)]],
  linear: [3, (l, x) => [l.resize(l.conv(x, 3, 20), 'linear', 'half_pixel', 2)]],
  'linear, asymmetric': [3, (l, x) => [l.resize(l.conv(x, 3, 20), 'linear', 'asymmetric', 3)]],
  'linear, aligned corners': [3, (l, x) => [l.resize(l.conv(x, 3, 20), 'linear', 'align_corners', 2)]],
  normalized: [3, (l, x) => [l.op('Relu', [l.normalize(l.op('MaxPool', [l.conv(x, 3, 16)], pooling), 16)])]],
  'scaled by a gate': [
    3,
    (l, x) => {
      const h = l.conv(x, 3, 16);
      const gate = l.op('Sigmoid', [l.conv(l.op('GlobalAveragePool', [h]), 16, 16)]);
      return [l.op('Mul', [h, gate])];
    },
  ],
  'channels last outside': [
    3,
    (l, x) => {
      const h = l.op('Transpose', [l.conv(x, 3, 16)], { perm: [0, 2, 3, 1] });
      return [l.conv(l.op('Transpose', [l.op('Relu', [h])], { perm: [0, 3, 1, 2] }), 16, 8), h];
    },
  ],
};

const cases = Object.entries(NETWORKS).map(
  ([label, [channels, network]]): Case => ({
    label,
    inputs: [floats(label.includes('nearest') || label.includes('linear') ? [1, channels, 2, 3] : [1, channels, 6, 5])],
    graph: (b, [x]) => network(layersOf(b), x as Value),
  }),
);

/** Whole models as onnxruntime's layout optimizer writes them, on a machine with blocks of 16 channels. */
export const operator: OperatorCases = { op: 'nchwc', domain: '', opset: 17, savedAt: 'all', cases };
