import { axisOf, countOf, type Plain, type PlainArray, plain } from './array.js';
import {
  float,
  floats,
  int,
  ints,
  listed,
  type Reference,
  type ReferenceNode,
  type References,
  tensor,
  text,
} from './definition.js';
import { isFloat } from './number-types.js';
import { around } from './offsets.js';

interface Axis {
  readonly size: number;
  readonly out: number;
  readonly scale: number;
  /** The region of tf_crop_and_resize. */
  readonly start: number;
  readonly end: number;
}

const f = Math.fround;

/** The length before it was rounded down, which two modes stretch over the inputs. */
const lengthOf = ({ size, out, scale }: Axis): number =>
  Math.abs(scale * size - out) < 1e-6 * out ? out : f(scale * size);

const divided = (x: number, { scale }: Axis): number => f(x / scale);

/** Where an output index lies among the inputs, by arithmetic of float32. */
const COORDINATES: Readonly<Record<string, (x: number, axis: Axis) => number>> = {
  half_pixel: (x, axis) => f(divided(x + 0.5, axis) - 0.5),
  half_pixel_symmetric: (x, axis) => {
    const offset = f((axis.size / 2) * f(1 - f(axis.out / lengthOf(axis))));
    return f(f(offset + divided(x + 0.5, axis)) - 0.5);
  },
  pytorch_half_pixel: (x, axis) => (axis.out > 1 ? f(divided(x + 0.5, axis) - 0.5) : 0),
  align_corners: (x, axis) => (lengthOf(axis) === 1 ? 0 : f(f(x * (axis.size - 1)) / f(lengthOf(axis) - 1))),
  asymmetric: (x, axis) => divided(x, axis),
  tf_half_pixel_for_nn: (x, axis) => divided(x + 0.5, axis),
  tf_crop_and_resize: (x, axis) => {
    const [start, end, last, length] = [f(axis.start), f(axis.end), axis.size - 1, lengthOf(axis)];
    if (length === 1) return f(0.5 * f(start + end) * last);
    return f(f(start * last) + f(f(f(x * f(end - start)) * last) / f(length - 1)));
  },
};

/** What is within this distance of the middle between two inputs counts as there. */
const NEAR = 1e-6;

const NEAREST: Readonly<Record<string, (x: number) => number>> = {
  round_prefer_floor: (x) => Math.ceil(x - 0.5 - NEAR),
  round_prefer_ceil: (x) => Math.floor(x + 0.5 + NEAR),
  floor: Math.floor,
  ceil: Math.ceil,
};

/** What an input at distance x from the coordinate weighs. */
const linear = (x: number): number => Math.max(0, 1 - Math.abs(x));

/** Keys' cubic convolution. */
export const cubic =
  (a: number) =>
  (x: number): number => {
    const d = Math.abs(x);
    if (d <= 1) return (a + 2) * d ** 3 - (a + 3) * d ** 2 + 1;
    return d < 2 ? a * (d ** 3 - 5 * d ** 2 + 8 * d - 4) : 0;
  };

/** The inputs that an output is made of. */
interface Taps {
  readonly indices: readonly number[];
  readonly weights: readonly number[];
  readonly isOutside: boolean;
}

interface Mode {
  readonly weigh: (x: number) => number;
  readonly radius: number;
}

const clamp = (i: number, size: number) => Math.min(Math.max(i, 0), size - 1);

/** Inputs around a coordinate; those beyond the ends are the ends, or left out. */
function tapsAround(x: number, { size }: Axis, { weigh, radius }: Mode, excludesOutside: boolean) {
  const indices: number[] = [];
  const weights: number[] = [];
  for (let i = Math.floor(x - radius) + 1; i < x + radius; i++) {
    indices.push(clamp(i, size));
    weights.push(excludesOutside && (i < 0 || i >= size) ? 0 : weigh(i - x));
  }
  const total = weights.reduce((a, b) => a + b, 0);
  return { indices, weights: weights.map((weight) => weight / total) };
}

/** Undefined: a mode that is unknown. */
function tapsOf(node: ReferenceNode, axis: Axis): Taps[] | undefined {
  const isOld = node.opset < 11;
  const mode = text(node, 'mode', 'nearest');
  const name = isOld ? 'asymmetric' : text(node, 'coordinate_transformation_mode', 'half_pixel');
  const coordinate = COORDINATES[name];
  const nearest = NEAREST[isOld ? 'floor' : text(node, 'nearest_mode', 'round_prefer_floor')];
  if (!coordinate || !nearest) return undefined;
  const coordinates = Array.from({ length: axis.out }, (_, x) => coordinate(x, axis));
  const isOutside = (x: number) => name === 'tf_crop_and_resize' && (x < 0 || x > axis.size - 1);
  if (mode === 'nearest') {
    return coordinates.map((x) => ({ indices: [clamp(nearest(x), axis.size)], weights: [1], isOutside: isOutside(x) }));
  }
  const narrow = int(node, 'antialias', 0) ? Math.min(axis.scale, 1) : 1;
  const kernel = mode === 'cubic' ? cubic(float(node, 'cubic_coeff_a', -0.75)) : linear;
  const wide: Mode = { weigh: (x) => kernel(x * narrow), radius: (mode === 'cubic' ? 2 : 1) / narrow };
  const excludes = int(node, 'exclude_outside', 0) !== 0;
  return coordinates.map((x) => ({ ...tapsAround(x, axis, wide, excludes), isOutside: isOutside(x) }));
}

/** The sum of what the taps weigh, along an axis whose neighbours are `stride` apart. */
function mixed(data: readonly Plain[], start: number, stride: number, { indices, weights }: Taps): Plain {
  if (indices.length === 1) return data[start + (indices[0] as number) * stride] as Plain;
  let sum = 0;
  for (let k = 0; k < indices.length; k++) {
    sum += (data[start + (indices[k] as number) * stride] as number) * (weights[k] as number);
  }
  return sum;
}

/** The tensor with one axis made of its taps. */
function resizedAlong(x: PlainArray, axis: number, taps: readonly Taps[], extrapolation: number): PlainArray {
  const { outer, size, inner } = around(x.dims, axis);
  const out: Plain[] = [];
  for (let o = 0; o < outer; o++) {
    for (const own of taps) {
      const start = o * size * inner;
      for (let i = 0; i < inner; i++) out.push(own.isOutside ? extrapolation : mixed(x.data, start + i, inner, own));
    }
  }
  return plain(
    x.type,
    x.dims.map((own, i) => (i === axis ? taps.length : own)),
    out,
  );
}

/** The scale that keeps the aspect ratio, or each axis its own. */
function scalesFor(node: ReferenceNode, sizes: readonly number[], wanted: readonly number[]): number[] {
  const own = wanted.map((size, i) => f(size / (sizes[i] as number)));
  const policy = text(node, 'keep_aspect_ratio_policy', 'stretch');
  if (policy === 'stretch') return own;
  const one = policy === 'not_larger' ? Math.min(...own) : Math.max(...own);
  return own.map(() => one);
}

const SCALES_INPUT = (opset: number) => (opset < 11 ? 1 : 2);

/** Undefined: open how large the output is. */
function axesOf(node: ReferenceNode, dims: readonly number[], axes: readonly number[]): Axis[] | undefined {
  const sizes = axes.map((axis) => dims[axis] as number);
  const given = node.opset < 9 ? floats(node, 'scales') : listed(node, SCALES_INPUT(node.opset));
  const wanted = listed(node, 3);
  const roi = listed(node, 1);
  const isStretched = text(node, 'keep_aspect_ratio_policy', 'stretch') === 'stretch';
  const scales = given?.length ? given.map(Math.fround) : wanted && scalesFor(node, sizes, wanted);
  if (!scales) return undefined;
  const outs = scales.map((scale, i) => {
    const exact = scale * (sizes[i] as number);
    if (given?.length) return Math.floor(f(exact));
    return isStretched ? (wanted?.[i] as number) : Math.floor(f(exact) + 0.5);
  });
  return sizes.map((size, i) => ({
    size,
    out: outs[i] as number,
    scale: scales[i] as number,
    start: roi?.[i] ?? 0,
    end: roi?.[axes.length + i] ?? 1,
  }));
}

const Resize: Reference = (node) => {
  const x = tensor(node, 0);
  const listedAxes = ints(node, 'axes')?.map((axis) => axisOf(axis, x.dims.length));
  const axes = listedAxes ?? Array.from(x.dims.keys());
  const found = axesOf(node, x.dims, axes);
  if (!found || (text(node, 'mode', 'nearest') !== 'nearest' && !isFloat(x.type))) return undefined;
  if (countOf(x.dims) === 0) return undefined;
  const extrapolation = float(node, 'extrapolation_value', 0);
  let result = x;
  for (const [i, axis] of axes.entries()) {
    const own = found[i] as Axis;
    const taps = tapsOf(node, own);
    if (!taps) return undefined;
    const isIdentity = own.size === own.out && own.scale === 1 && own.start === 0 && own.end === 1;
    if (!isIdentity) result = resizedAlong(result, axis, taps, extrapolation);
  }
  return [result];
};

export const RESIZE: References = { Resize, Upsample: Resize };
