import { stridesOf } from '../../graph/dims.js';

/** How GridSample reads between and outside the pixels. */
export interface Sampling {
  readonly mode: 'nearest' | 'linear' | 'cubic';
  readonly padding: 'zeros' | 'border' | 'reflection';
  readonly alignCorners: boolean;
}

/** A pixel along one axis and its share. */
export interface Tap {
  readonly at: number;
  readonly weight: number;
}

const CUBIC = -0.75;

/** Keys' convolution kernel, https://ieeexplore.ieee.org/document/1163711 */
function cubic(x: number): number {
  const d = Math.abs(x);
  if (d <= 1) return ((CUBIC + 2) * d - (CUBIC + 3)) * d * d + 1;
  return d < 2 ? CUBIC * (((d - 5) * d + 8) * d - 4) : 0;
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/** x mirrored at both ends until it lies between them. */
function reflected(x: number, low: number, high: number): number {
  const range = high - low;
  if (range === 0) return low;
  const beyond = x < low ? low - x : x > high ? x - high : 0;
  if (beyond === 0) return x;
  const rest = beyond % range;
  const even = Math.floor(beyond / range) % 2 === 0;
  return x < low === even ? low + rest : high - rest;
}

/** A coordinate outside the axis, the outer halves of its pixels included, brought inside as the padding says. */
function padded({ padding, alignCorners }: Sampling, x: number, size: number): number {
  const margin = alignCorners ? 0 : 0.5;
  const [low, high] = [-margin, size - 1 + margin];
  if (padding === 'zeros' || (x >= low && x <= high)) return x;
  return padding === 'border' ? Math.min(Math.max(x, 0), size - 1) : reflected(x, low, high);
}

const linear = (x: number): Tap[] =>
  [0, 1].map((t) => ({ at: Math.floor(x) + t, weight: 1 - Math.abs(x - Math.floor(x) - t) }));

/** The pixels of an axis of `size` around the place x; those outside are left out. */
export const linearTaps = (x: number, size: number): Tap[] =>
  linear(x).filter(({ at, weight }) => at >= 0 && at < size && weight > 0);

const { fround } = Math;

/**
 * The pixels of an axis of `size` that the place `g` in −1…1 reads; pixels of the zero padding are left out. Places are
 * reckoned in float32, which decides what is nearest where two pixels are all but equally near.
 */
export function axisTaps(sampling: Sampling, g: number, size: number): Tap[] {
  const { mode, alignCorners } = sampling;
  const place = alignCorners ? fround((fround(g + 1) / 2) * (size - 1)) : fround(fround(fround(g + 1) * size) - 1) / 2;
  const x = padded(sampling, mode === 'nearest' ? roundHalfEven(place) : place, size);
  const base = Math.floor(x);
  const taps =
    mode === 'nearest'
      ? [{ at: Math.round(x), weight: 1 }]
      : mode === 'linear'
        ? linear(x)
        : [-1, 0, 1, 2].map((t) => ({ at: base + t, weight: cubic(x - base - t) }));
  return taps
    .map(({ at, weight }) => ({ at: Math.trunc(padded(sampling, at, size)), weight }))
    .filter(({ at, weight }) => at >= 0 && at < size && weight !== 0);
}

/** The pixels, row-major in `sizes`, that taps along every axis read together. */
export function crossed(along: readonly (readonly Tap[])[], sizes: readonly number[]): Tap[] {
  const steps = stridesOf(sizes);
  return along.reduce<readonly Tap[]>(
    (outer, taps, axis) =>
      outer.flatMap((o) =>
        taps.map(({ at, weight }) => ({ at: o.at + at * (steps[axis] as number), weight: o.weight * weight })),
      ),
    [{ at: 0, weight: 1 }],
  ) as Tap[];
}
