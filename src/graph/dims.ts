import { differ, isSame } from './guards.js';
import { derived, formatSizes, multiply, product, type Size } from './sizes.js';

export const sameDims = (a: readonly Size[], b: readonly Size[]): boolean =>
  a.length === b.length && a.every((d, i) => d === b[i]);

/** The dims that both broadcast to by NumPy's rules, or a message if they do not broadcast. */
export function broadcast(a: readonly Size[], b: readonly Size[]): Size[] | string {
  const rank = Math.max(a.length, b.length);
  const result: Size[] = [];
  for (let i = 0; i < rank; i++) {
    const x = a[a.length - rank + i] ?? 1;
    const y = b[b.length - rank + i] ?? 1;
    const size = isSame(x, y) || isSame(y, 1) ? x : isSame(x, 1) ? y : joined(x, y);
    if (size === undefined)
      return `[${formatSizes(a)}] and [${formatSizes(b)}] do not broadcast: ${String(x)} against ${String(y)}`;
    result.push(size);
  }
  return result;
}

/** An open size and a known one above 1 broadcast to the known one; of two open sizes, either may be 1. */
function joined(x: Size, y: Size): Size | undefined {
  if (differ(x, y)) return undefined;
  return typeof x === 'number'
    ? x
    : typeof y === 'number'
      ? y
      : derived('broadcast', [x, y], (m, n) => (m === 1 ? n : m));
}

/** The axis counted from 0, or a message if it is out of range. */
export const normalAxis = (axis: number, rank: number): number | string =>
  axis >= -rank && axis < rank ? (axis < 0 ? axis + rank : axis) : `axis ${axis} is outside −${rank}…${rank - 1}`;

/** Row-major strides in elements. */
export function stridesOf<D extends Size>(dims: readonly D[]): D[] {
  const strides = new Array<Size>(dims.length);
  let stride: Size = 1;
  for (let i = dims.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride = multiply(stride, dims[i] as D);
  }
  return strides as D[];
}

/** Row-major coordinates of every place in `dims`. */
export function coordinatesIn(dims: readonly number[]): number[][] {
  let places: number[][] = [[]];
  for (const size of dims) places = places.flatMap((place) => Array.from({ length: size }, (_, i) => [...place, i]));
  return places;
}

/** Strides over `dims` of a dense tensor of shape `shape`, broadcast as ONNX does: shapes aligned at their ends. */
export function broadcastStrides<D extends Size>(shape: readonly D[], dims: readonly D[]): D[] {
  const strides = new Array<Size>(dims.length).fill(0);
  let step: Size = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const dim = shape[d] as D;
    if (!isSame(dim, 1)) strides[d + dims.length - shape.length] = step;
    step = multiply(step, dim);
  }
  return strides as D[];
}

/** A shape viewed as [outer, length, inner] around some axes. */
export interface AxisView {
  readonly outer: Size;
  readonly length: Size;
  readonly inner: Size;
}

export const viewAbout = (dims: readonly Size[], axis: number, axes = 1): AxisView => ({
  outer: product(dims.slice(0, axis)),
  length: product(dims.slice(axis, axis + axes)),
  inner: product(dims.slice(axis + axes)),
});
