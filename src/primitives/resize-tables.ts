// Resize along one axis as a weighted sum of input positions, for every mode of ONNX Resize 10 to 19.
// https://onnx.ai/onnx/operators/onnx__Resize.html; where the text leaves room, ONNX's reference implementation decides.

export interface ResizeMode {
  mode: 'nearest' | 'linear' | 'cubic';
  coordinates: keyof typeof originalCoordinate;
  rounding: keyof typeof nearestTap;
  cubicCoefficient: number;
  excludeOutside: boolean;
  antialias: boolean;
  extrapolationValue: number;
}

export interface ResizeAxis {
  input: number;
  output: number;
  /** output ÷ input before the output length was rounded, in float32. */
  scale: number;
  /** Normalized to the axis; only tf_crop_and_resize uses it. */
  roi: readonly [start: number, end: number];
}

/** Output i is Σ weights[i·taps + t]·x[indices[i·taps + t]] over t < taps, plus constants[i] if there are constants. */
export interface AxisTable {
  taps: number;
  indices: Int32Array;
  weights: Float64Array;
  /** The extrapolation value at outputs whose coordinate is outside the input, 0 elsewhere; null if all are inside. */
  constants: Float32Array | null;
}

export const outputLength = ({ indices, taps }: AxisTable): number => indices.length / taps;

/** Scales and coordinates are float32, as in PyTorch and onnxruntime: their rounding decides which element is the nearest. */
const f = Math.fround;

/** The length before rounding. A whole length survives a scale that is only nearly output ÷ input. */
function resizedLength({ input, output, scale }: ResizeAxis): number {
  return Math.abs(scale * input - output) < 1e-6 * output ? output : f(scale * input);
}

/** The i-th of evenly spaced points over 0…span, both ends included; `alone` if there is only one. */
function evenly(i: number, span: number, axis: ResizeAxis, alone: number): number {
  const length = resizedLength(axis);
  return length === 1 ? alone : f(f(i * span) / f(length - 1));
}

const halfPixel = (i: number, { scale }: ResizeAxis) => f(f(f(i + 0.5) / scale) - 0.5);

const originalCoordinate = {
  half_pixel: halfPixel,
  half_pixel_symmetric: (i: number, axis: ResizeAxis) => {
    const adjustment = f(axis.output / resizedLength(axis));
    const offset = f(f(axis.input / 2) * f(1 - adjustment));
    return f(f(offset + f(f(i + 0.5) / axis.scale)) - 0.5);
  },
  pytorch_half_pixel: (i: number, axis: ResizeAxis) => (axis.output > 1 ? halfPixel(i, axis) : 0),
  align_corners: (i: number, axis: ResizeAxis) => evenly(i, axis.input - 1, axis, 0),
  asymmetric: (i: number, { scale }: ResizeAxis) => f(i / scale),
  tf_half_pixel_for_nn: (i: number, { scale }: ResizeAxis) => f(f(i + 0.5) / scale),
  tf_crop_and_resize: (i: number, axis: ResizeAxis) => {
    const [start, end] = axis.roi.map(f) as [number, number];
    const last = axis.input - 1;
    const length = resizedLength(axis);
    if (length === 1) return f(0.5 * f(start + end) * last);
    return f(f(start * last) + f(f(f(i * f(end - start)) * last) / f(length - 1)));
  },
};

/** Largest distance from the middle between two elements at which a coordinate still counts as the middle, as in onnxruntime 1.30. */
const MIDDLE = 1e-6;

/** Selects a neighbor of a coordinate: 0 below, 1 above. `ratio` in (0, 1] is the distance from the lower one. */
const nearestTap = {
  round_prefer_floor: (ratio: number) => (ratio <= 0.5 + MIDDLE ? 0 : 1),
  round_prefer_ceil: (ratio: number) => (ratio < 0.5 - MIDDLE ? 0 : 1),
  floor: (ratio: number) => (ratio < 1 ? 0 : 1),
  ceil: () => 1,
};

function triangle(x: number): number {
  return Math.max(0, 1 - Math.abs(x));
}

/** Keys' cubic convolution kernel, https://ieeexplore.ieee.org/document/1163711 */
function cubic(x: number, a: number): number {
  const d = Math.abs(x);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? a * (((d - 5) * d + 8) * d - 4) : 0;
}

/** The number of positions per output, the number on each side, and the factor on their distances. */
function tapsOf({ mode, antialias }: ResizeMode, { scale }: ResizeAxis) {
  if (mode === 'nearest') return { taps: 1, reach: 1, stretch: 1 };
  const stretch = antialias ? Math.min(scale, 1) : 1;
  const reach = Math.ceil((mode === 'cubic' ? 2 : 1) / stretch);
  return { taps: 2 * reach, reach, stretch };
}

export const tapCount = (how: ResizeMode, axis: ResizeAxis): number => tapsOf(how, axis).taps;

/** The first position that contributes at coordinate `at`. */
function firstTap({ mode, rounding }: ResizeMode, at: number, reach: number): number {
  const below = Math.ceil(at) - 1;
  return mode === 'nearest' ? below + nearestTap[rounding](at - below) : below + 1 - reach;
}

const isOutside = ({ coordinates }: ResizeMode, at: number, input: number): boolean =>
  coordinates === 'tf_crop_and_resize' && (at < 0 || at > input - 1);

export function axisTable(how: ResizeMode, axis: ResizeAxis): AxisTable {
  const [indices, weights] = [axisIndices(how, axis), axisWeights(how, axis)];
  return { taps: tapCount(how, axis), indices, weights, constants: axisConstants(how, axis) };
}

/** The indices of a table alone. */
export function axisIndices(how: ResizeMode, axis: ResizeAxis): Int32Array {
  const { input, output } = axis;
  const { taps, reach } = tapsOf(how, axis);
  const coordinate = originalCoordinate[how.coordinates];
  const indices = new Int32Array(output * taps);
  for (let i = 0; i < output; i++) {
    const at = coordinate(i, axis);
    if (isOutside(how, at, input)) continue;
    const first = firstTap(how, at, reach);
    for (let t = 0; t < taps; t++) indices[i * taps + t] = Math.min(Math.max(first + t, 0), input - 1);
  }
  return indices;
}

/** The weights of a table alone. */
export function axisWeights(how: ResizeMode, axis: ResizeAxis): Float64Array {
  const { input, output } = axis;
  const { taps, reach, stretch } = tapsOf(how, axis);
  const coordinate = originalCoordinate[how.coordinates];
  const weights = new Float64Array(output * taps);
  for (let i = 0; i < output; i++) {
    const at = coordinate(i, axis);
    if (isOutside(how, at, input)) continue;
    const first = firstTap(how, at, reach);
    for (let t = 0; t < taps; t++) weights[i * taps + t] = weightAt(how, first + t, at, stretch, input);
    if (how.excludeOutside || how.antialias) normalize(weights.subarray(i * taps, (i + 1) * taps));
  }
  return weights;
}

/** The constants of a table alone. */
export function axisConstants(how: ResizeMode, axis: ResizeAxis): Float32Array | null {
  const { coordinates, extrapolationValue } = how;
  if (coordinates !== 'tf_crop_and_resize' || Math.fround(extrapolationValue) === 0) return null;
  const constants = Float32Array.from({ length: axis.output }, (_, i) =>
    isOutside(how, originalCoordinate[coordinates](i, axis), axis.input) ? extrapolationValue : 0,
  );
  return constants.some((c) => c !== 0) ? constants : null;
}

/** Weight of a position near the coordinate `at`. */
function weightAt(
  { mode, cubicCoefficient, excludeOutside }: ResizeMode,
  position: number,
  at: number,
  stretch: number,
  input: number,
): number {
  if (mode === 'nearest') return 1;
  if (excludeOutside && (position < 0 || position >= input)) return 0;
  const distance = (position - at) * stretch;
  return mode === 'cubic' ? cubic(distance, cubicCoefficient) : triangle(distance);
}

function normalize(weights: Float64Array): void {
  const sum = weights.reduce((a, b) => a + b, 0);
  for (let t = 0; t < weights.length; t++) weights[t] = (weights[t] as number) / sum;
}

/** Whether a resize leaves the axis unchanged. Lengths and some coordinate modes decide without a table. */
export function stays(how: ResizeMode, axis: ResizeAxis): boolean {
  const { input, output, scale } = axis;
  if (output !== input) return false;
  const isPlain = how.coordinates === 'half_pixel' || how.coordinates === 'asymmetric';
  return (isPlain && scale === 1) || isIdentity(axisTable(how, axis), input);
}

/** Whether every output is the input at the same position. */
export function isIdentity({ taps, indices, weights, constants }: AxisTable, input: number): boolean {
  if (constants || indices.length !== input * taps) return false;
  const ones = weights.filter((w, i) => w === 1 && indices[i] === Math.floor(i / taps)).length;
  return ones === input && weights.filter((w) => w !== 0).length === input;
}

export type AspectRatio = 'stretch' | 'not_larger' | 'not_smaller';

/** Output lengths and scales of the axes in `input`, from the `scales` input of Resize. */
export function axesFromScales(input: readonly number[], scales: readonly number[]): [length: number, scale: number][] {
  return input.map((length, i) => {
    const scale = f(scales[i] as number);
    return [Math.floor(Number.isInteger(scale) ? scale * length : f(scale * length)), scale];
  });
}

/** The scale of an axis between two lengths. */
export const scaleBetween = (input: number, output: number): number => f(output / input);

/** Output lengths and scales of the axes in `input`, from the `sizes` input of Resize. */
export function axesFromSizes(
  input: readonly number[],
  sizes: readonly number[],
  policy: AspectRatio,
): [length: number, scale: number][] {
  const scales = input.map((length, i) => scaleBetween(length, sizes[i] as number));
  if (policy === 'stretch') return scales.map((scale, i) => [sizes[i] as number, scale]);
  const scale = policy === 'not_larger' ? Math.min(...scales) : Math.max(...scales);
  return input.map((length) => [Math.floor(f(scale * length) + 0.5), scale]);
}
