import { derived, formatSizes, type Size } from './sizes.js';

/** Whether two sizes are known not to be the same. */
export const differ = (a: Size | undefined, b: Size | undefined): boolean =>
  typeof a === 'number' && typeof b === 'number' && a !== b;

export const sameDims = (a: readonly Size[], b: readonly Size[]): boolean =>
  a.length === b.length && a.every((d, i) => d === b[i]);

/** The dims that both broadcast to, by numpy's rule; a string says what does not fit. */
export function broadcast(a: readonly Size[], b: readonly Size[]): Size[] | string {
  const rank = Math.max(a.length, b.length);
  const result: Size[] = [];
  for (let i = 0; i < rank; i++) {
    const x = a[a.length - rank + i] ?? 1;
    const y = b[b.length - rank + i] ?? 1;
    if (x === y || y === 1) result.push(x);
    else if (x === 1) result.push(y);
    else if (typeof x === 'number' && typeof y === 'number')
      return `[${formatSizes(a)}] and [${formatSizes(b)}] do not broadcast: ${x} against ${y}`;
    // An unknown size beside a known one above 1 can only be that size or 1; of two unknown ones, either may be 1.
    else
      result.push(
        typeof x === 'number'
          ? x
          : typeof y === 'number'
            ? y
            : derived('broadcast', [x, y], (m, n) => (m === 1 ? n : m)),
      );
  }
  return result;
}

/** Axis counted from 0, or a message where it is out of range. */
export const normalAxis = (axis: number, rank: number): number | string =>
  axis >= -rank && axis < rank ? (axis < 0 ? axis + rank : axis) : `axis ${axis} is outside −${rank}…${rank - 1}`;

/** Row-major strides in elements. */
export function stridesOf(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length);
  let stride = 1;
  for (let i = dims.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= dims[i] as number;
  }
  return strides;
}

/** Row-major coordinates of every place in `dims`. */
export function coordinatesIn(dims: readonly number[]): number[][] {
  let places: number[][] = [[]];
  for (const size of dims) places = places.flatMap((place) => Array.from({ length: size }, (_, i) => [...place, i]));
  return places;
}

/** Strides over `dims` of a dense tensor of shape `shape`, broadcast as ONNX does: shapes aligned at their ends. */
export function broadcastStrides(shape: readonly number[], dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length).fill(0);
  let step = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const dim = shape[d] as number;
    if (dim !== 1) strides[d + dims.length - shape.length] = step;
    step *= dim;
  }
  return strides;
}
