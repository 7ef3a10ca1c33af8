import { areDecided, differ, hintOf, isSame } from '../graph/guards.js';
import { derived, floorDivide, formatSize, formatSizes, multiply, type Size } from '../graph/sizes.js';
import { float, int, ints, oneOf } from '../schema/attributes.js';
import type { Inference } from '../schema/definition.js';
import { axesOf } from '../schema/shapes.js';
import { numbersOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';
import {
  type AspectRatio,
  type AxisTable,
  axesFromScales,
  axesFromSizes,
  axisTable,
  type ResizeAxis,
  type ResizeMode,
  stays,
} from './resize-tables.js';

export interface ResizeAttributes {
  readonly mode: string;
  readonly coordinate_transformation_mode: string;
  readonly nearest_mode: string;
  readonly cubic_coeff_a: number;
  readonly exclude_outside: number;
  readonly extrapolation_value: number;
  readonly antialias: number;
  readonly axes: readonly number[] | undefined;
  readonly keep_aspect_ratio_policy: string;
}

export const resizeAttributes = {
  mode: oneOf('nearest', 'linear', 'bilinear', 'cubic'),
  coordinate_transformation_mode: oneOf(
    'half_pixel',
    'half_pixel_symmetric',
    'pytorch_half_pixel',
    'align_corners',
    'asymmetric',
    'tf_half_pixel_for_nn',
    'tf_crop_and_resize',
  ),
  nearest_mode: oneOf('round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil'),
  cubic_coeff_a: float(-0.75),
  exclude_outside: int(0),
  extrapolation_value: float(0),
  antialias: int(0),
  axes: ints(),
  keep_aspect_ratio_policy: oneOf('stretch', 'not_larger', 'not_smaller'),
};

/** The signature in all versions but the oldest. */
export const resizeSignature = 'X: T1, roi?: T2, scales?: float32, sizes?: int64 -> Y: T1';

/** Input positions. */
export const [ROI, SCALES, SIZES] = [1, 2, 3];

/** Contents of input `i` as numbers; an empty tensor counts as absent. */
export function numbersAt(c: Inference<unknown>, i: number): readonly number[] | undefined {
  const contents = c.contents(i);
  return contents && elementCount(contents.dims) > 0 ? Array.from(numbersOf(contents)) : undefined;
}

export const resizedAxes = (c: Inference<ResizeAttributes>, rank: number): readonly number[] =>
  c.attributes.axes ? axesOf(c, c.attributes.axes, rank) : Array.from({ length: rank }, (_, i) => i);

export function lengthsOf(c: Inference<ResizeAttributes>): readonly Size[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const axes = resizedAxes(c, dims.length);
  const input = axes.map((axis) => dims[axis] as Size);
  const lengths = resizedLengths(c, input);
  const grown = input.findIndex((d, i) => isSame(d, 0) && differ(lengths[i], 0));
  if (grown >= 0)
    c.fail(
      'INVALID_SHAPE',
      `axis ${axes[grown]} of [${formatSizes(dims)}] has no elements to resize to ${formatSize(lengths[grown])}`,
    );
  return dims.map((d, axis) => (axes.includes(axis) ? (lengths[axes.indexOf(axis)] as Size) : d));
}

/** Lengths of the resized axes, in the order of `axes`. */
function resizedLengths(c: Inference<ResizeAttributes>, input: readonly Size[]): readonly Size[] {
  const scales = numbersAt(c, SCALES);
  const sizes = c.sizes(SIZES);
  const given = scales ?? (sizes?.length ? sizes : undefined);
  if (!given) return input.map(() => c.unknown());
  if (given.length !== input.length) {
    c.fail('INVALID_SHAPE', `resizes ${input.length} axes by ${given.length} ${scales ? 'scales' : 'sizes'}`);
  }
  if (scales) {
    return input.map((d, i) => {
      const scale = scales[i] as number;
      if (Number.isInteger(scale)) return multiply(d, scale);
      if (Number.isInteger(1 / scale)) return floorDivide(d, 1 / scale);
      return derived(`*${scale}`, [d], (n) => (axesFromScales([n], [scale])[0] as [number, number])[0]);
    });
  }
  const { keep_aspect_ratio_policy: policy } = c.attributes;
  if (policy === 'stretch') return given;
  const known = [...input, ...given].every((d) => typeof d === 'number');
  if (!known) return input.map(() => c.unknown());
  return axesFromSizes(input as number[], given as number[], policy as AspectRatio).map(([length]) => length);
}

function modeOf(c: Inference<ResizeAttributes>): ResizeMode {
  const a = c.attributes;
  return {
    mode: a.mode.replace('bilinear', 'linear') as ResizeMode['mode'],
    coordinates: a.coordinate_transformation_mode as ResizeMode['coordinates'],
    rounding: a.nearest_mode as ResizeMode['rounding'],
    cubicCoefficient: a.cubic_coeff_a,
    excludeOutside: a.exclude_outside !== 0,
    antialias: a.antialias !== 0,
    extrapolationValue: a.extrapolation_value,
  };
}

/** The resize of each axis that changes. */
export interface Resized {
  readonly how: ResizeMode;
  readonly axes: ReadonlyMap<number, ResizeAxis>;
  /** Origin of the scales: the `scales` input, the `sizes` input, or `sizes` fitted to the aspect ratio. */
  readonly from: 'scales' | 'sizes' | 'aspect';
  /** Whether an axis is unchanged although its scale is not 1. At another length it may change. */
  readonly barelyStays: boolean;
}

function givenSizes(c: Inference<ResizeAttributes>): readonly number[] {
  const sizes = c.sizes(SIZES);
  return sizes && areDecided(sizes) ? sizes.map(hintOf) : (numbersAt(c, SIZES) ?? []);
}

export function resizedOf(c: Inference<ResizeAttributes>, dims: readonly number[]): Resized {
  const axes = resizedAxes(c, dims.length);
  const input = axes.map((axis) => dims[axis] as number);
  const scales = numbersAt(c, SCALES);
  const sizes = givenSizes(c);
  const policy = c.attributes.keep_aspect_ratio_policy as AspectRatio;
  const targets = scales ? axesFromScales(input, scales) : axesFromSizes(input, sizes, policy);
  const roi = numbersAt(c, ROI);
  const how = modeOf(c);
  const changing = new Map<number, ResizeAxis>();
  let barelyStays = false;
  for (const [i, axis] of axes.entries()) {
    const [output, scale] = targets[i] as [number, number];
    const region = [roi?.[i] ?? 0, roi?.[i + axes.length] ?? 1] as const;
    const along = { input: input[i] as number, output, scale, roi: region };
    if (!stays(how, along)) changing.set(axis, along);
    else barelyStays ||= scale !== 1;
  }
  return { how, axes: changing, from: scales ? 'scales' : policy === 'stretch' ? 'sizes' : 'aspect', barelyStays };
}

/** The tables of all axes that change. */
export const tablesOf = ({ how, axes }: Resized): Map<number, AxisTable> =>
  new Map(Array.from(axes, ([axis, along]) => [axis, axisTable(how, along)]));

/** Semantics of older versions: asymmetric coordinates, rounded down, all axes. */
export const ASYMMETRIC = { coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
