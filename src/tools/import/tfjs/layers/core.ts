import type { Value } from '../../../../graph/graph.js';
import { type Draft, float, refuse } from '../draft.js';
import { channelsFirst } from '../permutation.js';
import { normalized } from '../windows.js';
import { activated } from './activations.js';
import { type Call, flag, isLast, type Layer, type Layers, number, numbers, text } from './layer.js';

const axesOf = (rank: number, begin: number): number[] => Array.from({ length: rank - begin }, (_, i) => i + begin);

const dense: Layer = ({ d, x, config, find, weight }) => {
  const product = d.op('MatMul', [x, weight('kernel')]);
  const bias = find('bias');
  return activated(d, bias ? d.op('Add', [product, bias]) : product, config);
};

const einsumDense: Layer = ({ d, x, config, find, weight }) => {
  const product = d.emit('Einsum', [x, weight('kernel')], { equation: text(config, 'equation') });
  const bias = find('bias');
  return activated(d, bias ? d.op('Add', [product, bias]) : product, config);
};

const nothing: Layer = ({ inputs }) => inputs;

const flatten: Layer = ({ d, x, config }) =>
  d.reshape(isLast(config) || d.rank(x) < 3 ? x : d.transpose(x, [0, ...axesOf(d.rank(x), 2), 1]), 0, -1);

const repeated: Layer = ({ d, x, config }) => d.emit('Tile', [d.unsqueeze(x, 1), d.list(1, number(config, 'n'), 1)]);

/** Sets vectors to 0 if all their elements equal `mask_value`. */
const masked: Layer = ({ d, x, config }) => {
  const isSame = d.emit('Equal', [x, d.number('float32', number(config, 'mask_value', 0))]);
  const kept = d.emit('ReduceMax', [d.cast(d.emit('Not', [isSame]), 'float32'), d.list(-1)], { keepdims: 1 });
  return d.emit('Mul', [x, kept]);
};

const merged =
  (op: string): Layer =>
  ({ d, inputs }) =>
    inputs.length > 1 ? d.op(op, inputs) : refuse('the layer needs at least two inputs');

const product: Layer = ({ d, inputs: [first, ...others] }) =>
  others.reduce((a, b) => d.op('Mul', [a, b]), first as Value);

const unit = (d: Draft, x: Value, axis: number): Value => {
  const length = d.emit('ReduceL2', [x, d.list(axis)], { keepdims: 1 });
  return d.emit('Div', [x, d.emit('Max', [length, d.number('float32', Math.sqrt(1e-7))])]);
};

/** Multiplies two operands along an axis of each, for each element of the batch. */
const dot: Layer = ({ d, inputs, config }) => {
  const [a, b] = inputs as [Value, Value];
  const [i, j] = numbers(config, 'axes', 2, -1).map((axis, k) =>
    axis < 0 ? axis + d.rank(inputs[k] as Value) : axis,
  ) as [number, number];
  const letters = (x: Value, axis: number, names: string) =>
    axesOf(d.rank(x), 0).map((k) => (k === 0 ? 'n' : k === axis ? 'k' : names[k]));
  const [left, right] = [letters(a, i, 'abcdef'), letters(b, j, 'uvwxyz')];
  const rest = [...left, ...right].filter((letter) => letter !== 'n' && letter !== 'k');
  const operands = flag(config, 'normalize') ? [unit(d, a, i), unit(d, b, j)] : [a, b];
  const result = d.emit('Einsum', operands, { equation: `${left.join('')},${right.join('')}->n${rest.join('')}` });
  return rest.length ? result : d.unsqueeze(result, 1);
};

function constants({ d, find }: Call, like: Value, name: string, value: number): Value {
  return find(name) ?? d.floats(...new Array(d.size(like, 0)).fill(value));
}

const firstOf = (axis: unknown): number => Number(Array.isArray(axis) ? axis[0] : axis);

const batchNormalization: Layer = (call) => {
  const { d, x, config, weight } = call;
  const [mean, variance] = [weight('moving_mean'), weight('moving_variance')];
  const axis = firstOf(config.axis ?? -1);
  const isBehind = axis < 0 ? axis === -1 : axis === d.rank(x) - 1;
  if (!isBehind && axis !== 1) refuse(`axis ${axis} is not supported; expected the second or last axis`);
  const weights = [constants(call, mean, 'gamma', 1), constants(call, mean, 'beta', 0), mean, variance] as const;
  return normalized(d, x, weights, float(number(config, 'epsilon', 1e-3)), isBehind);
};

const layerNormalization: Layer = (call) => {
  const { d, x, config } = call;
  const rank = d.rank(x);
  const axes = [config.axis ?? -1].flat().map((axis) => (Number(axis) < 0 ? Number(axis) + rank : Number(axis)));
  if (!axes.every((axis, i) => axis === rank - axes.length + i))
    refuse(`axes ${axes} are not supported; expected the last axes`);
  const dims = axes.map((axis) => d.size(x, axis));
  const filled = (value: number) => d.emit('Expand', [d.number('float32', value), d.list(...dims)]);
  const scale = call.find('gamma') ?? filled(1);
  const settings = { axis: -axes.length, epsilon: float(number(config, 'epsilon', 1e-3)) };
  return d.emit('LayerNormalization', [x, scale, call.find('beta') ?? filled(0)], settings);
};

const pairsOf = (value: unknown, count: number): [number, number][] =>
  Array.isArray(value)
    ? ((value.length === count ? value : [value]).map((pair) => (Array.isArray(pair) ? pair : [pair, pair])) as [
        number,
        number,
      ][])
    : new Array(count).fill([value, value]);

/** Reads pairs (before, after) for each spatial axis. */
function borders({ d, x, config }: Call, name: string): { pairs: [number, number][]; axes: number[] } {
  const count = d.rank(x) - 2;
  const pairs = pairsOf(config[name] ?? 1, count);
  return { pairs, axes: axesOf(count + (isLast(config) ? 1 : 2), isLast(config) ? 1 : 2) };
}

const padded: Layer = (call) => {
  const { d, x } = call;
  const { pairs, axes } = borders(call, 'padding');
  const pads = new Array(2 * d.rank(x)).fill(0);
  for (const [i, axis] of axes.entries()) [pads[axis], pads[axis + d.rank(x)]] = pairs[i] as [number, number];
  return d.op('Pad', [x, d.list(...pads)], { mode: 'constant' });
};

const cropped: Layer = (call) => {
  const { d, x } = call;
  const { pairs, axes } = borders(call, 'cropping');
  const ends = pairs.map(([, after]) => (after === 0 ? 2 ** 31 - 1 : -after));
  return d.emit('Slice', [x, d.list(...pairs.map(([before]) => before)), d.list(...ends), d.list(...axes)]);
};

/** TensorFlow.js interpolates with asymmetric coordinates. */
const upsampled: Layer = ({ d, x, config }) => {
  const count = d.rank(x) - 2;
  const scales = d.floats(1, 1, ...numbers(config, 'size', count, 2));
  const isNearest = text(config, 'interpolation', 'nearest') === 'nearest';
  const settings = {
    coordinate_transformation_mode: 'asymmetric',
    mode: isNearest ? 'nearest' : 'linear',
    nearest_mode: 'floor',
  };
  const order = isLast(config) ? channelsFirst(count + 2) : axesOf(count + 2, 0);
  const result = d.emit('Resize', [d.transpose(x, order), null, scales], settings);
  return d.transpose(
    result,
    order.map((_, axis) => order.indexOf(axis)),
  );
};

const rescaling: Layer = ({ d, x, config }) => {
  const scaled = d.op('Mul', [d.cast(x, 'float32'), d.number('float32', number(config, 'scale'))]);
  return d.op('Add', [scaled, d.number('float32', number(config, 'offset', 0))]);
};

const rectified: Layer = ({ d, x, config }) => {
  const most = config.max_value;
  return typeof most === 'number'
    ? d.op('Clip', [x, d.number('float32', 0), d.number('float32', most)])
    : d.op('Relu', [x]);
};

export const core: Layers = {
  InputLayer: nothing,
  Dropout: nothing,
  SpatialDropout1D: nothing,
  SpatialDropout2D: nothing,
  GaussianNoise: nothing,
  GaussianDropout: nothing,
  AlphaDropout: nothing,
  ActivityRegularization: nothing,
  Dense: dense,
  EinsumDense: einsumDense,
  Embedding: ({ d, x, weight }) => d.emit('Gather', [weight('embeddings'), d.int(x)]),
  Activation: ({ d, x, config }) => activated(d, x, config),
  ReLU: rectified,
  LeakyReLU: ({ d, x, config }) =>
    d.op('LeakyRelu', [x], { alpha: float(number(config, 'alpha', number(config, 'negative_slope', 0.3))) }),
  PReLU: ({ d, x, weight }) => d.op('PRelu', [x, weight('alpha')]),
  ELU: ({ d, x, config }) => d.op('Elu', [x], { alpha: float(number(config, 'alpha', 1)) }),
  ThresholdedReLU: ({ d, x, config }) => d.op('ThresholdedRelu', [x], { alpha: float(number(config, 'theta', 1)) }),
  Softmax: ({ d, x, config }) => d.op('Softmax', [x], { axis: number(config, 'axis', -1) }),
  Flatten: flatten,
  Reshape: ({ d, x, config }) =>
    d.reshape(x, 0, ...((config.target_shape ?? []) as number[]).map((size) => size ?? -1)),
  Permute: ({ d, x, config }) => d.transpose(x, [0, ...(config.dims as number[])]),
  RepeatVector: repeated,
  Masking: masked,
  Add: merged('Sum'),
  Multiply: product,
  Average: merged('Mean'),
  Maximum: merged('Max'),
  Minimum: merged('Min'),
  Concatenate: ({ d, inputs, config }) => d.op('Concat', inputs, { axis: number(config, 'axis', -1) }),
  Dot: dot,
  BatchNormalization: batchNormalization,
  LayerNormalization: layerNormalization,
  ZeroPadding1D: padded,
  ZeroPadding2D: padded,
  ZeroPadding3D: padded,
  Cropping1D: cropped,
  Cropping2D: cropped,
  Cropping3D: cropped,
  UpSampling1D: upsampled,
  UpSampling2D: upsampled,
  UpSampling3D: upsampled,
  Rescaling: rescaling,
};
