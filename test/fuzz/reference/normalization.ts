import { axisOf, countOf, type PlainArray, plain } from './array.js';
import {
  float,
  int,
  ints,
  listed,
  maybe,
  type Reference,
  type ReferenceNode,
  type References,
  tensor,
} from './definition.js';
import { isFloat } from './number-types.js';
import { around, broadcastOffsets } from './offsets.js';
import { lanesOver } from './reductions.js';

interface Moments {
  readonly mean: number;
  readonly variance: number;
}

function momentsOf(data: readonly number[], start: number, places: ArrayLike<number>): Moments {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < places.length; i++) sum += data[start + (places[i] as number)] as number;
  const mean = sum / places.length;
  for (let i = 0; i < places.length; i++) squares += ((data[start + (places[i] as number)] as number) - mean) ** 2;
  return { mean, variance: squares / places.length };
}

/** x · scale[c] + shift[c] on axis 1. */
function byChannel(x: PlainArray, scale: ArrayLike<number>, shift: ArrayLike<number>): PlainArray {
  const { size, inner } = x.dims.length > 1 ? around(x.dims, 1) : { size: 1, inner: 1 };
  const out = (x.data as number[]).map((value, i) => {
    const channel = Math.floor(i / inner) % size;
    return value * (scale[channel] as number) + (shift[channel] as number);
  });
  return plain(x.type, x.dims, out);
}

const mix = (kept: readonly number[], momentum: number, fresh: readonly number[]) =>
  kept.map((x, i) => x * momentum + (fresh[i] as number) * (1 - momentum));

const BatchNormalization: Reference = (node) => {
  const x = tensor(node, 0);
  const [scale, bias, mean, variance] = [1, 2, 3, 4].map((i) => listed(node, i)) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const epsilon = float(node, 'epsilon', 1e-5);
  const isTraining = node.opset < 7 ? int(node, 'is_test', 0) === 0 : int(node, 'training_mode', 0) !== 0;
  if ((node.opset < 14 && isTraining) || int(node, 'spatial', 1) === 0 || (!isTraining && node.outputs > 1))
    return undefined;
  const batch = isTraining ? channelMoments(x) : { means: mean, variances: variance };
  const factors = scale.map((s, c) => s / Math.sqrt((batch.variances[c] as number) + epsilon));
  const shifts = bias.map((b, c) => b - (batch.means[c] as number) * (factors[c] as number));
  const y = byChannel(x, factors, shifts);
  if (!isTraining) return [y];
  const momentum = float(node, 'momentum', 0.9);
  const running = (kept: number[], fresh: number[], i: number) =>
    plain(tensor(node, i).type, [kept.length], mix(kept, momentum, fresh));
  return [y, running(mean, batch.means, 3), running(variance, batch.variances, 4)];
};

function channelMoments({ dims, data }: PlainArray) {
  const axes = Array.from(dims.keys()).filter((axis) => axis !== 1);
  const { starts, places } = lanesOver(dims, axes, false);
  const moments = Array.from(starts, (start) => momentsOf(data as number[], start, places));
  return { means: moments.map(({ mean }) => mean), variances: moments.map(({ variance }) => variance) };
}

const InstanceNormalization: Reference = (node) => {
  const x = tensor(node, 0);
  const [scale, bias] = [listed(node, 1), listed(node, 2)] as [number[], number[]];
  return [
    standardized(x, x.dims[1] as number, float(node, 'epsilon', 1e-5), (c) => [scale[c] as number, bias[c] as number]),
  ];
};

/** Scale and bias are those of groups before opset 21, then of channels. */
const GroupNormalization: Reference = (node) => {
  const x = tensor(node, 0);
  const [scale, bias] = [listed(node, 1), listed(node, 2)] as [number[], number[]];
  const groups = int(node, 'num_groups', 1);
  const each = node.opset < 21 ? (x.dims[1] as number) / groups : 1;
  const affine = (c: number): [number, number] => {
    const at = Math.floor(c / each);
    return [scale[at] as number, bias[at] as number];
  };
  return [standardized(x, groups, float(node, 'epsilon', 1e-5), affine)];
};

/** Mean 0 and variance 1 in every group of channels of every picture, then scale and bias by channel. */
function standardized(
  x: PlainArray,
  groups: number,
  epsilon: number,
  affine: (channel: number) => [number, number],
): PlainArray {
  const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
  const plane = countOf(sizes);
  const length = (channels / groups) * plane;
  const places = Array.from({ length }, (_, i) => i);
  const out = new Array<number>(x.data.length);
  for (let group = 0; group < batch * groups; group++) {
    const start = group * length;
    const { mean, variance } = momentsOf(x.data as number[], start, places);
    for (let i = start; i < start + length; i++) {
      const [scale, bias] = affine(Math.floor(i / plane) % channels);
      out[i] = (((x.data[i] as number) - mean) / Math.sqrt(variance + epsilon)) * scale + bias;
    }
  }
  return plain(x.type, x.dims, out);
}

/** The axes from `axis` on as one, with scale and bias that broadcast to X. */
function layers(node: ReferenceNode, momentsOfLayer: (start: number, places: ArrayLike<number>) => Moments) {
  const x = tensor(node, 0);
  const [scale, bias] = [tensor(node, 1), maybe(node, 2)];
  const axis = axisOf(int(node, 'axis', -1), x.dims.length);
  const { starts, places, dims } = lanesOver(x.dims, Array.from(x.dims.keys()).slice(axis), true);
  const epsilon = float(node, 'epsilon', 1e-5);
  const inScale = broadcastOffsets(scale.dims, x.dims);
  const inBias = bias && broadcastOffsets(bias.dims, x.dims);
  const out = new Array<number>(x.data.length);
  const means: number[] = [];
  const inverses: number[] = [];
  for (const start of starts) {
    const { mean, variance } = momentsOfLayer(start, places);
    const inverse = 1 / Math.sqrt(variance + epsilon);
    means.push(mean);
    inverses.push(inverse);
    for (const place of places) {
      const at = start + place;
      const scaled = ((x.data[at] as number) - mean) * inverse * (scale.data[inScale[at] as number] as number);
      out[at] = scaled + (bias && inBias ? (bias.data[inBias[at] as number] as number) : 0);
    }
  }
  return {
    y: plain(x.type, x.dims, out),
    means: plain('float32', dims, means),
    inverses: plain('float32', dims, inverses),
  };
}

const LayerNormalization: Reference = (node) => {
  const { type, data } = tensor(node, 0);
  if (!isFloat(type) || int(node, 'stash_type', 1) !== 1) return undefined;
  const { y, means, inverses } = layers(node, (start, places) => momentsOf(data as number[], start, places));
  return [y, means, inverses];
};

const RMSNormalization: Reference = (node) => {
  const { data } = tensor(node, 0);
  const { y } = layers(node, (start, places) => {
    let squares = 0;
    for (let i = 0; i < places.length; i++) squares += (data[start + (places[i] as number)] as number) ** 2;
    return { mean: 0, variance: squares / places.length };
  });
  return [plain(tensor(node, 1).type, y.dims, y.data)];
};

const LRN: Reference = (node) => {
  const { type, dims, data } = tensor(node, 0);
  const size = int(node, 'size', 1);
  const [alpha, beta, bias] = [float(node, 'alpha', 1e-4), float(node, 'beta', 0.75), float(node, 'bias', 1)];
  const { size: channels, inner } = around(dims, 1);
  const out = (data as number[]).map((x, i) => {
    const channel = Math.floor(i / inner) % channels;
    const first = Math.max(0, channel - Math.floor((size - 1) / 2));
    const last = Math.min(channels - 1, channel + Math.ceil((size - 1) / 2));
    let squares = 0;
    for (let c = first; c <= last; c++) squares += (data[i + (c - channel) * inner] as number) ** 2;
    return x / (bias + (alpha / size) * squares) ** beta;
  });
  return [plain(type, dims, out)];
};

/** A lane whose norm is 0 stays 0. */
const LpNormalization: Reference = (node) => {
  const { type, dims, data } = tensor(node, 0);
  const p = int(node, 'p', 2);
  const { starts, places } = lanesOver(dims, [int(node, 'axis', -1)], true);
  const out = new Array<number>(data.length);
  for (const start of starts) {
    let sum = 0;
    for (const place of places) sum += Math.abs(data[start + place] as number) ** p;
    const norm = sum ** (1 / p);
    for (const place of places) out[start + place] = norm === 0 ? 0 : (data[start + place] as number) / norm;
  }
  return [plain(type, dims, out)];
};

const MeanVarianceNormalization: Reference = (node) => {
  const { type, dims, data } = tensor(node, 0);
  const { starts, places } = lanesOver(dims, ints(node, 'axes') ?? [0, 2, 3], true);
  const out = new Array<number>(data.length);
  for (const start of starts) {
    const { mean, variance } = momentsOf(data as number[], start, places);
    for (const place of places)
      out[start + place] = ((data[start + place] as number) - mean) / (Math.sqrt(variance) + 1e-9);
  }
  return [plain(type, dims, out)];
};

export const NORMALIZATION: References = {
  BatchNormalization,
  InstanceNormalization,
  GroupNormalization,
  LayerNormalization,
  RMSNormalization,
  LRN,
  LpNormalization,
  MeanVarianceNormalization,
};
