import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { type Draft, refuse, type Settings } from '../../import/tfjs/draft.js';
import { channelsFirst, channelsLast } from '../../import/tfjs/permutation.js';
import type { Lowering } from './lowering.js';

interface Window {
  readonly kernel: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  /** The padding before and after each axis. */
  readonly pads: readonly (readonly [number, number])[];
  readonly padding: 'SAME' | 'VALID' | 'EXPLICIT';
}

type Given = Readonly<Record<string, unknown>>;

const FAR = 2 ** 31 - 1;
const AXES = ['DHW', 'HW'];
const formatOf = (count: number): string => `N${AXES[3 - count] ?? 'W'}C`;

/** The attributes of a window, with explicit padding. */
function windowOf(d: Draft, x: Value, kernel: readonly number[], given: Given): Window {
  const ones = kernel.map(() => 1);
  const list = (name: string, standard: readonly number[]) => {
    const value = given[name] as readonly number[] | undefined;
    return value?.length ? value : standard;
  };
  const [strides, dilations] = [list('strides', ones), list('dilations', ones)];
  const flat = list(
    'pads',
    [...ones, ...ones].map(() => 0),
  );
  const pads = kernel.map((extent, i): [number, number] => {
    const whole = (extent - 1) * (dilations[i] as number) + 1;
    return padsOf(given, d.dims(x)?.[i + 2], whole, strides[i] as number, [
      flat[i] as number,
      flat[i + kernel.length] as number,
    ]);
  });
  const isNone = pads.every(([before, after]) => before === 0 && after === 0);
  const isSame =
    !isNone &&
    kernel.every((extent, i) => {
      const whole = (extent - 1) * (dilations[i] as number) + 1;
      const same = samePads(d.dims(x)?.[i + 2], whole, strides[i] as number);
      return `${same}` === `${pads[i]}`;
    });
  return { kernel, strides, dilations, pads, padding: isNone ? 'VALID' : isSame ? 'SAME' : 'EXPLICIT' };
}

function samePads(size: Size | undefined, extent: number, stride: number): [number, number] | undefined {
  if (stride !== 1 && typeof size !== 'number') return undefined;
  const total =
    stride === 1
      ? extent - 1
      : Math.max(0, (Math.ceil((size as number) / stride) - 1) * stride + extent - (size as number));
  return [total >> 1, total - (total >> 1)];
}

function padsOf(
  given: Given,
  size: Size | undefined,
  extent: number,
  stride: number,
  pads: [number, number],
): [number, number] {
  const auto = String(given.auto_pad ?? 'NOTSET');
  if (auto.startsWith('SAME')) {
    const same = samePads(size, extent, stride) ?? refuse('auto_pad needs known sizes');
    return auto === 'SAME_UPPER' ? same : [same[1], same[0]];
  }
  if (auto === 'VALID') return [0, 0];
  if (!given.ceil_mode) return pads;
  if (typeof size !== 'number') return refuse('ceil_mode needs known sizes');
  const rest = (size + pads[0] + pads[1] - extent) % stride;
  return [pads[0], pads[1] + (rest > 0 ? stride - rest : 0)];
}

/** Places a node with channels last. Its output has the shape of `like`, which has channels first. */
function placed(d: Draft, op: string, inputs: readonly Value[], settings: Settings, like: Value): Value {
  const dims = d.dims(like) ?? refuse('the rank of the output must be known');
  const last = channelsLast(dims.length).map((axis) => dims[axis] as Size);
  const value = d.place(op, inputs, settings, tensorType(d.element(like), last));
  return d.transpose(value, channelsFirst(dims.length));
}

/** Converts [batch, channels, width] to images with one row, and back. */
const asImage =
  (lowering: Lowering): Lowering =>
  (inputs, d, node) => {
    const [x] = inputs as [Value];
    if (d.rank(x) !== 3) return lowering(inputs, d, node);
    const { given } = node;
    const wide = (name: string, standard: number) => {
      const list = given[name] as readonly number[] | undefined;
      return list?.length
        ? { [name]: list.flatMap((item, i) => (i % (name === 'pads' ? 1 : 2) === 0 ? [standard, item] : [item])) }
        : {};
    };
    const attributes = {
      ...given,
      ...wide('kernel_shape', 1),
      ...wide('strides', 1),
      ...wide('dilations', 1),
      ...wide('pads', 0),
    };
    const images = inputs.map((value, i) => (value && i < 2 && d.rank(value) === 3 ? d.unsqueeze(value, 2) : value));
    const like = d.unsqueeze(node.like, 2);
    const made = lowering(images, d, { ...node, given: attributes, like }) as Value;
    return d.squeeze(made, 2);
  };

const last = (d: Draft, x: Value): Value => d.transpose(x, channelsLast(d.rank(x)));

function widened(d: Draft, x: Value, { pads }: Window, value: number): Value {
  const list = d.list(0, 0, ...pads.map(([before]) => before), 0, 0, ...pads.map(([, after]) => after));
  return d.op('Pad', [x, list, d.number(d.element(x), value)], { mode: 'constant' });
}

const settingsOf = ({ strides, dilations, padding, pads }: Window): Settings => ({
  strides: [1, ...strides, 1],
  dilations: [1, ...dilations, 1],
  padding,
  ...(padding === 'EXPLICIT' && { explicit_paddings: [0, 0, ...pads.flat(), 0, 0] }),
  data_format: formatOf(strides.length),
});

const convolution: Lowering = ([x, weights, bias], d, { given, like }) => {
  const [image, kernel] = [x as Value, weights as Value];
  const [out = 0, own = 0, ...extents] = Array.from({ length: d.rank(kernel) }, (_, axis) => d.size(kernel, axis));
  const window = windowOf(d, image, extents, given);
  const isFlat = extents.length === 2;
  const wide = window.padding === 'EXPLICIT' && !isFlat ? widened(d, image, window, 0) : image;
  const fitting: Window = wide === image ? window : { ...window, padding: 'VALID' };
  const groups = Number(given.group ?? 1);
  const isDeep = groups > 1 && own === 1 && isFlat;
  const isWhole = isDeep || groups === 1;
  const name = isDeep ? 'DepthwiseConv2dNative' : `Conv${extents.length}D`;
  const fused = bias && isFlat && isWhole ? [bias] : [];
  const op = fused.length ? (isDeep ? `Fused${name}` : `_Fused${name}`) : name;
  const settings = { ...settingsOf(fitting), ...(fused.length && FUSED) };
  const make = (part: Value, filter: Value, result: Value) =>
    placed(
      d,
      op,
      [last(d, part), d.transpose(filter, [...extents.map((_, i) => i + 2), 1, 0]), ...fused],
      settings,
      result,
    );
  const deep = () => d.transpose(d.reshape(kernel, groups, out / groups, ...extents), [2, 3, 0, 1]);
  const made = isDeep
    ? placed(d, op, [last(d, wide), deep(), ...fused], settings, like)
    : isWhole
      ? make(wide, kernel, like)
      : grouped(d, [wide, kernel, like], groups, make);
  return bias && !fused.length ? d.op('Add', [made, d.reshape(bias, -1, ...extents.map(() => 1))]) : made;
};

const FUSED: Settings = { num_args: 1, fused_ops: { type: 'strings', value: ['BiasAdd'] } };

/** Applies `make` to each group. */
function grouped(
  d: Draft,
  [x, kernel, like]: readonly [Value, Value, Value],
  groups: number,
  make: (part: Value, kernel: Value, like: Value) => Value,
): Value {
  const cut = (value: Value, axis: number, i: number) => {
    const size = d.size(value, axis) / groups;
    return d.slice(value, axis, i * size, (i + 1) * size);
  };
  const parts = Array.from({ length: groups }, (_, i) => make(cut(x, 1, i), cut(kernel, 0, i), cut(like, 1, i)));
  return d.op('Concat', parts, { axis: 1 });
}

/** Computes the output without padding, and then removes the elements that ONNX's padding cuts off. */
const deconvolution: Lowering = ([x, weights, bias], d, { given, like }) => {
  const [image, kernel] = [x as Value, weights as Value];
  if (d.rank(kernel) !== 4) refuse('TensorFlow.js only supports 2D transposed convolutions');
  if (Number(given.group ?? 1) !== 1) refuse('TensorFlow.js does not support grouped transposed convolutions');
  const extents = [d.size(kernel, 2), d.size(kernel, 3)];
  const { strides, dilations } = windowOf(d, image, extents, { ...given, auto_pad: 'NOTSET' });
  if (dilations.some((dilation) => dilation !== 1))
    refuse('TensorFlow.js does not support dilated transposed convolutions');
  const cuts = extents.map((extent, i) => cutOf(d, given, i, [image, like], extent, strides[i] as number));
  const sizes = d.slice(d.shape(image), 0, 2, 4);
  const steps = d.emit('Mul', [d.emit('Sub', [sizes, d.list(1)]), d.list(...strides)]);
  const full = d.emit('Add', [steps, d.list(...extents)]);
  const batch = d.slice(d.shape(image), 0, 0, 1);
  const shape = d.emit('Concat', [batch, full, d.list(d.size(kernel, 1))], { axis: 0 });
  const settings = { strides: [1, ...strides, 1], padding: 'VALID', data_format: 'NHWC', dilations: [1, 1, 1, 1] };
  const dims = d.fact(shape).sizes ?? [
    d.dims(image)?.[0] as Size,
    d.facts.unknown(),
    d.facts.unknown(),
    d.size(kernel, 1),
  ];
  const inputs = [shape, d.transpose(kernel, [2, 3, 1, 0]), last(d, image)];
  const value = d.place('Conv2DBackpropInput', inputs, settings, tensorType('float32', dims));
  const made = d.transpose(
    cuts.reduce((part, cut, i) => fitted(d, part, i + 1, cut), value),
    channelsFirst(4),
  );
  return bias ? d.op('Add', [made, d.reshape(bias, -1, 1, 1)]) : made;
};

/** The number of elements to remove before and after. Negative numbers add elements. */
function cutOf(
  d: Draft,
  given: Given,
  i: number,
  [image, like]: readonly [Value, Value],
  extent: number,
  stride: number,
): [number, number] {
  const auto = String(given.auto_pad ?? 'NOTSET');
  const list = (name: string) => given[name] as readonly number[] | undefined;
  const isGiven = auto === 'NOTSET' && !list('output_shape')?.length;
  if (isGiven) return [list('pads')?.[i] ?? 0, (list('pads')?.[i + 2] ?? 0) - (list('output_padding')?.[i] ?? 0)];
  const total = (d.size(image, i + 2) - 1) * stride + extent - d.size(like, i + 2);
  const half = Math.max(0, total) >> 1;
  const before = auto === 'SAME_UPPER' ? half : Math.max(0, total) - half;
  return [before, total - before];
}

function fitted(d: Draft, x: Value, axis: number, [before, behind]: readonly [number, number]): Value {
  const cut = before > 0 || behind > 0 ? d.slice(x, axis, before, behind > 0 ? -behind : FAR) : x;
  if (behind >= 0) return cut;
  const pads = new Array(8).fill(0);
  pads[4 + axis] = -behind;
  return d.op('Pad', [cut, d.list(...pads), d.number('float32', 0)], { mode: 'constant' });
}

const pool =
  (op: 'MaxPool' | 'AvgPool', outside: number): Lowering =>
  ([x], d, { given, like, wanted }) => {
    if (wanted > 1) refuse('TensorFlow.js does not support the output Indices');
    const image = x as Value;
    const window = windowOf(d, image, given.kernel_shape as readonly number[], given);
    if (window.dilations.some((dilation) => dilation !== 1)) refuse('TensorFlow.js does not support dilated pooling');
    const run = (value: Value, padding: Window['padding']) => {
      const settings = {
        ksize: [1, ...window.kernel, 1],
        strides: [1, ...window.strides, 1],
        padding,
        data_format: formatOf(window.kernel.length),
      };
      return placed(d, window.kernel.length === 3 ? `${op}3D` : op, [last(d, value)], settings, like);
    };
    const isCounted = op === 'AvgPool' && Boolean(given.count_include_pad);
    if (window.padding === 'VALID' || (window.padding === 'SAME' && !isCounted)) return run(image, window.padding);
    const sums = run(widened(d, image, window, outside), 'VALID');
    if (op === 'MaxPool') return sums;
    if (isCounted)
      return given.ceil_mode ? refuse('TensorFlow.js does not support count_include_pad=1 with ceil_mode=1') : sums;
    const ones = d.emit('Expand', [d.number('float32', 1), d.shape(image)]);
    return d.op('Div', [sums, run(widened(d, ones, window, 0), 'VALID')]);
  };

const local: Lowering = ([x], d, { given, like }) => {
  const size = Number(given.size);
  if (size % 2 === 0) refuse('TensorFlow.js only supports an odd size');
  const number = (name: string, standard: number): Settings[string] => ({
    type: 'float',
    value: Number(given[name] ?? standard),
  });
  const alpha: Settings[string] = { type: 'float', value: Number(given.alpha ?? 1e-4) / size };
  const settings = { depth_radius: (size - 1) / 2, bias: number('bias', 1), alpha, beta: number('beta', 0.75) };
  return placed(d, 'LRN', [last(d, x as Value)], settings, like);
};

/** The TensorFlow attributes that match ONNX's coordinate transformation and rounding. */
function placesOf(given: Given, ratios: readonly number[]): Settings {
  const places = String(given.coordinate_transformation_mode ?? 'half_pixel').replace(
    'pytorch_half_pixel',
    'half_pixel',
  );
  const flags = {
    align_corners: Number(places === 'align_corners'),
    half_pixel_centers: Number(places === 'half_pixel'),
  };
  if (!['align_corners', 'half_pixel', 'asymmetric'].includes(places))
    refuse(`TensorFlow.js does not support coordinate_transformation_mode=${places}`);
  const isUp = ratios.every((ratio) => Number.isInteger(ratio));
  const rounding = String(given.nearest_mode ?? 'round_prefer_floor');
  const own = places === 'asymmetric' ? 'floor' : 'round_prefer_ceil';
  const isExact =
    given.mode !== 'nearest' || rounding === own || (places === 'half_pixel' && isUp && rounding.startsWith('round'));
  return isExact
    ? flags
    : refuse(`TensorFlow.js does not support nearest_mode=${rounding} with coordinate_transformation_mode=${places}`);
}

/** The ratio of two sizes; NaN if one is unknown. */
const ratio = (a: Size | undefined, b: Size | undefined): number =>
  typeof a === 'number' && typeof b === 'number' ? a / b : Number.NaN;

const resize: Lowering = ([x, , scales], d, { given, like }) => {
  const [image, dims] = [x as Value, d.dims(like) ?? []];
  const ops: Readonly<Record<string, string>> = { linear: 'ResizeBilinear', nearest: 'ResizeNearestNeighbor' };
  const op = ops[String(given.mode ?? 'nearest')] ?? refuse(`TensorFlow.js does not support mode=${given.mode}`);
  if (given.antialias || dims.length !== 4 || given.axes)
    refuse(
      'TensorFlow.js only resizes input of the shape [batch, channels, height, width], without antialias and axes',
    );
  const known = scales ? d.known(scales)?.slice(2) : undefined;
  const before = d.dims(image) ?? [];
  const ratios = known?.length ? known : [2, 3].map((axis) => ratio(dims[axis], before[axis]));
  const isExact =
    !known?.length ||
    [2, 3].every((axis, i) => Number.isInteger(known[i]) || ratio(dims[axis], before[axis]) === known[i]);
  if (!isExact) refuse('TensorFlow.js rounds differently for sizes that are not integer multiples');
  const inner = d.slice(d.shape(image), 0, 2, 4);
  const sizes = dims.slice(2).every((size) => typeof size === 'number')
    ? d.list(...(dims.slice(2) as number[]))
    : d.emit('Mul', [
        inner,
        d.list(...ratios.map((ratio) => (Number.isInteger(ratio) ? ratio : refuse('the sizes must be known')))),
      ]);
  return placed(d, op, [last(d, image), sizes], placesOf({ mode: 'nearest', ...given }, ratios), like);
};

/** Implements the CRD mode of DepthToSpace, as TensorFlow.js only supports DCR. */
function deepByChannels(d: Draft, x: Value, block: number): Value {
  const channels = d.size(x, 1) / block ** 2;
  const shape = d.shape(x);
  const [batch, image] = [d.slice(shape, 0, 0, 1), d.slice(shape, 0, 2, 4)];
  const shaped = (value: Value, ...sizes: readonly Value[]) =>
    d.emit('Reshape', [value, d.emit('Concat', [batch, ...sizes], { axis: 0 })]);
  const split = shaped(x, d.list(channels, block, block), image);
  const moved = d.transpose(split, [0, 1, 4, 2, 5, 3]);
  return shaped(moved, d.list(channels), d.emit('Mul', [image, d.list(block, block)]));
}

const deep: Lowering = ([x], d, { given, like }) => {
  const block = Number(given.blocksize);
  if (given.mode === 'CRD') return deepByChannels(d, x as Value, block);
  return placed(d, 'DepthToSpace', [last(d, x as Value)], { block_size: block, data_format: 'NHWC' }, like);
};

export const windows: Readonly<Record<string, Lowering>> = {
  Conv: asImage(convolution),
  ConvTranspose: deconvolution,
  MaxPool: asImage(pool('MaxPool', Number.NEGATIVE_INFINITY)),
  AveragePool: asImage(pool('AvgPool', 0)),
  LRN: local,
  Resize: resize,
  DepthToSpace: deep,
};
