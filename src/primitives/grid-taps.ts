import { stridesOf } from '../graph/dims.js';
import { entryOf, int, string } from '../schema/attributes.js';
import type { Inference } from '../schema/definition.js';
import { placeRounding } from './place-rounding.js';

/** Interpolation and padding of GridSample. */
export interface Sampling {
  readonly mode: 'nearest' | 'linear' | 'cubic';
  readonly padding: 'zeros' | 'border' | 'reflection';
  readonly alignCorners: boolean;
  /** Rounds places to the grid's type, which decides which pixel is nearest if two are almost equally near. */
  readonly round: (x: number) => number;
}

/** A pixel along one axis and its weight. */
interface Tap {
  readonly at: number;
  readonly weight: number;
  /** Derivative of the weight by the place in −1…1. */
  readonly slope: number;
}

const CUBIC = -0.75;

/** Keys' convolution kernel, https://ieeexplore.ieee.org/document/1163711 */
function cubic(x: number): number {
  const d = Math.abs(x);
  if (d <= 1) return ((CUBIC + 2) * d - (CUBIC + 3)) * d * d + 1;
  return d < 2 ? CUBIC * (((d - 5) * d + 8) * d - 4) : 0;
}

function cubicSlope(x: number): number {
  const d = Math.abs(x);
  const slope = d <= 1 ? (3 * (CUBIC + 2) * d - 2 * (CUBIC + 3)) * d : CUBIC * ((3 * d - 10) * d + 8);
  return d < 2 ? Math.sign(x) * slope : 0;
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** x mirrored at both ends until it lies between them. */
function reflected(x: number, low: number, high: number, round: Sampling['round']): number {
  const range = high - low;
  if (range === 0) return low;
  const beyond = x < low ? round(low - x) : x > high ? round(x - high) : 0;
  if (beyond === 0) return x;
  const turns = Math.floor(round(beyond / range));
  const rest = round(beyond - round(turns * range));
  return x < low === (turns % 2 === 0) ? round(low + rest) : round(high - rest);
}

/** Brings a coordinate outside the axis inside, as the padding mode specifies. The axis includes the outer halves of its pixels. */
function padded({ padding, alignCorners, round }: Sampling, x: number, size: number): number {
  const margin = alignCorners ? 0 : 0.5;
  const [low, high] = [-margin, size - 1 + margin];
  if (padding === 'zeros' || (x >= low && x <= high)) return x;
  return padding === 'border' ? Math.min(Math.max(x, 0), size - 1) : reflected(x, low, high, round);
}

/** Derivative of a padded coordinate by the coordinate. */
function paddedSlope({ mode, padding, alignCorners }: Sampling, x: number, size: number): number {
  if (padding === 'zeros' || mode === 'cubic') return 1;
  const margin = alignCorners ? 0 : 0.5;
  if (padding === 'border') return x < -margin || x > size - 1 + margin ? 0 : 1;
  const range = size - 1 + 2 * margin;
  return range === 0 ? 0 : Math.floor((x + margin) / range) % 2 === 0 ? 1 : -1;
}

const linear = (x: number, step: number): Tap[] =>
  [0, 1].map((t) => ({
    at: Math.floor(x) + t,
    weight: 1 - Math.abs(x - Math.floor(x) - t),
    slope: step * (2 * t - 1),
  }));

/** The pixels of an axis of `size` around the place x, without those outside. */
export const linearTaps = (x: number, size: number): Tap[] =>
  linear(x, 1).filter(({ at, weight }) => at >= 0 && at < size && weight > 0);

/**
 * The pixels of an axis of `size` that the place `g` in −1…1 reads, without pixels of zero padding. In mode `cubic` the place stays, and
 * each pixel around it is padded: https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/GridSampler.h
 */
function axisTaps(sampling: Sampling, given: number, size: number): Tap[] {
  const { mode, alignCorners, round } = sampling;
  const g = round(given);
  const exact = alignCorners ? round((round(g + 1) / 2) * (size - 1)) : round(round(round(g + 1) * size) - 1) / 2;
  const x = mode === 'cubic' ? exact : padded(sampling, mode === 'nearest' ? roundHalfEven(exact) : exact, size);
  const base = Math.floor(x);
  const step = ((alignCorners ? size - 1 : size) / 2) * paddedSlope(sampling, exact, size);
  const taps =
    mode === 'nearest'
      ? [{ at: Math.round(x), weight: 1, slope: 0 }]
      : mode === 'linear'
        ? linear(x, step)
        : [-1, 0, 1, 2].map((t) => {
            const d = x - base - t;
            return { at: base + t, weight: cubic(d), slope: step * cubicSlope(d) };
          });
  return taps
    .map((tap) => ({ ...tap, at: Math.trunc(padded(sampling, tap.at, size)) }))
    .filter(({ at, weight, slope }) => at >= 0 && at < size && (weight !== 0 || slope !== 0));
}

export interface GridAttributes {
  readonly align_corners: number;
  readonly mode: string;
  readonly padding_mode: string;
}

export const gridAttributes = { align_corners: int(0), mode: string('linear'), padding_mode: string('zeros') };

const MODES: Readonly<Record<string, Sampling['mode']>> = {
  nearest: 'nearest',
  linear: 'linear',
  bilinear: 'linear',
  cubic: 'cubic',
  bicubic: 'cubic',
};

const PADDINGS: readonly string[] = ['zeros', 'border', 'reflection'] satisfies Sampling['padding'][];

/** Sampling parameters of a node whose input `grid` is the grid. */
export function samplingOf(c: Inference<GridAttributes>, grid: number): Sampling {
  const { mode, padding_mode, align_corners } = c.attributes;
  const known = entryOf(MODES, mode);
  if (!known) return c.fail('INVALID_ATTRIBUTE', `mode "${mode}" is none of ${Object.keys(MODES).join(', ')}`);
  if (!PADDINGS.includes(padding_mode)) {
    c.fail('INVALID_ATTRIBUTE', `padding_mode "${padding_mode}" is none of ${PADDINGS.join(', ')}`);
  }
  return {
    mode: known,
    padding: padding_mode as Sampling['padding'],
    alignCorners: align_corners !== 0,
    round: placeRounding(c, grid),
  };
}

/** A pixel of a plane and its weight. */
export interface PlaneTap {
  readonly at: number;
  readonly weight: number;
  /** Derivative of the weight by the place along each axis. */
  readonly slopes: readonly number[];
}

/** Combines taps along each axis to pixels, row-major in `sizes`. */
export function crossed(along: readonly (readonly Tap[])[], sizes: readonly number[]): PlaneTap[] {
  const steps = stridesOf(sizes);
  let taps: PlaneTap[] = [{ at: 0, weight: 1, slopes: [] }];
  along.forEach((own, axis) => {
    const step = steps[axis] as number;
    taps = taps.flatMap((outer) =>
      own.map(({ at, weight, slope }) => ({
        at: outer.at + at * step,
        weight: outer.weight * weight,
        slopes: [...outer.slopes.map((along) => along * weight), outer.weight * slope],
      })),
    );
  });
  return taps;
}

/** The pixels that a place in −1…1 reads. */
export const tapsAt = (sampling: Sampling, place: readonly number[], sizes: readonly number[]): PlaneTap[] =>
  crossed(
    sizes.map((size, axis) => axisTaps(sampling, place[axis] as number, size)),
    sizes,
  );
