import { countOf, type PlainArray, plain } from './array.js';
import { int, listed, type Reference, type References, tensor, text } from './definition.js';
import { halfEven, isFloat } from './number-types.js';
import { stridesOf } from './offsets.js';
import { cubic } from './resize.js';

interface Sampling {
  readonly mode: 'nearest' | 'linear' | 'cubic';
  readonly padding: string;
  readonly isAligned: boolean;
}

/** Inputs of one axis and their weights; −1: an input of 0. */
interface Taps {
  readonly indices: readonly number[];
  readonly weights: readonly number[];
}

const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high);

/** Folded at the borders until it lies between them. */
function reflected(x: number, low: number, high: number): number {
  const range = high - low;
  if (range === 0) return low;
  const at = Math.abs(x - low);
  const rest = at % range;
  return Math.floor(at / range) % 2 === 0 ? low + rest : high - rest;
}

const bordersOf = (size: number, isAligned: boolean): readonly [number, number] =>
  isAligned ? [0, size - 1] : [-0.5, size - 0.5];

/** The input at an index that may lie outside. */
function inside(i: number, size: number, { padding, isAligned }: Sampling): number {
  if (i >= 0 && i < size) return i;
  if (padding === 'zeros') return -1;
  if (padding === 'border') return clamp(i, 0, size - 1);
  return clamp(Math.round(reflected(i, ...bordersOf(size, isAligned))), 0, size - 1);
}

const KERNELS = {
  linear: { weigh: (x: number) => Math.max(0, 1 - Math.abs(x)), before: 0, count: 2 },
  cubic: { weigh: cubic(-0.75), before: 1, count: 4 },
};

/** Of a coordinate from −1 to 1. */
function tapsAt(coordinate: number, size: number, sampling: Sampling): Taps {
  const { mode, padding, isAligned } = sampling;
  const [low, high] = bordersOf(size, isAligned);
  const exact = isAligned ? ((coordinate + 1) / 2) * (size - 1) : ((coordinate + 1) * size - 1) / 2;
  const wanted = mode === 'nearest' ? halfEven(exact) : exact;
  const isOutside = mode !== 'cubic' && (wanted < low || wanted > high);
  const bordered = isOutside && padding === 'border' ? clamp(wanted, 0, size - 1) : wanted;
  const x = isOutside && padding === 'reflection' ? reflected(wanted, low, high) : bordered;
  if (mode === 'nearest') return { indices: [inside(halfEven(x), size, sampling)], weights: [1] };
  const { weigh, before, count } = KERNELS[mode];
  const first = Math.floor(x) - before;
  const places = Array.from({ length: count }, (_, i) => first + i);
  return { indices: places.map((i) => inside(i, size, sampling)), weights: places.map((i) => weigh(i - x)) };
}

/** The weighted sum over the product of all axes' taps. */
function sampled(x: PlainArray, start: number, taps: readonly Taps[], strides: readonly number[], axis = 0): number {
  const own = taps[axis];
  if (!own) return x.data[start] as number;
  let sum = 0;
  own.indices.forEach((index, i) => {
    if (index < 0) return;
    sum += (own.weights[i] as number) * sampled(x, start + index * (strides[axis] as number), taps, strides, axis + 1);
  });
  return sum;
}

const MODES: Readonly<Record<string, Sampling['mode']>> = {
  nearest: 'nearest',
  linear: 'linear',
  bilinear: 'linear',
  cubic: 'cubic',
  bicubic: 'cubic',
};

const GridSample: Reference = (node) => {
  const [x, grid] = [tensor(node, 0), tensor(node, 1)];
  const mode = MODES[text(node, 'mode', 'linear')];
  if (!isFloat(x.type) || !mode) return undefined;
  const sampling = {
    mode,
    padding: text(node, 'padding_mode', 'zeros'),
    isAligned: int(node, 'align_corners', 0) !== 0,
  };
  const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
  const outSizes = grid.dims.slice(1, -1);
  const points = countOf(outSizes);
  const plane = countOf(sizes);
  const strides = stridesOf(sizes);
  const rank = sizes.length;
  const out = new Array<number>(batch * channels * points);
  for (let n = 0; n < batch; n++) {
    for (let point = 0; point < points; point++) {
      const at = (n * points + point + 1) * rank - 1;
      const taps = sizes.map((size, axis) => tapsAt(grid.data[at - axis] as number, size, sampling));
      for (let c = 0; c < channels; c++) {
        out[(n * channels + c) * points + point] = sampled(x, (n * channels + c) * plane, taps, strides);
      }
    }
  }
  return [plain(x.type, [batch, channels, ...outSizes], out)];
};

/** Coordinates of each place of the output, from −1 to 1, the last axis first, turned by theta. Open: one place between aligned corners. */
const AffineGrid: Reference = (node) => {
  const theta = tensor(node, 0);
  const [batch, , ...sizes] = listed(node, 1) as readonly [number, number, ...number[]];
  const isAligned = int(node, 'align_corners', 0) !== 0;
  if (isAligned && sizes.includes(1)) return undefined;
  const rank = sizes.length;
  const strides = stridesOf(sizes);
  const coordinate = (i: number, size: number) => (isAligned ? (2 * i) / (size - 1) - 1 : (2 * i + 1) / size - 1);
  const out: number[] = [];
  for (let n = 0; n < batch; n++) {
    for (let point = 0; point < countOf(sizes); point++) {
      const place = sizes.map((size, axis) => coordinate(Math.floor(point / (strides[axis] as number)) % size, size));
      const homogeneous = [...place.reverse(), 1];
      for (let row = 0; row < rank; row++) {
        const start = (n * rank + row) * (rank + 1);
        out.push(homogeneous.reduce((sum, x, i) => sum + x * (theta.data[start + i] as number), 0));
      }
    }
  }
  return [plain(theta.type, [batch, ...sizes, rank], out)];
};

export const GRID_SAMPLE: References = { GridSample, AffineGrid };
