import { account } from '../account.js';
import { stridesOf } from '../graph/dims.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import type { KnownWindow } from './window.js';

/** Folds the values of one window; `places` is its size with padding. */
export type Fold = (values: readonly number[], places: number) => number;

/** The taps of each output along one axis, with padding but without positions beyond it. */
function tapsAlong({ size, kernel, stride, dilation, padBefore, padAfter, out }: KnownWindow): number[][] {
  return Array.from({ length: out }, (_, o) =>
    Array.from({ length: kernel }, (_, k) => o * stride - padBefore + k * dilation).filter(
      (at) => at < size + padAfter,
    ),
  );
}

/** Memory for a tap in the lists of all axes. */
const BYTES_PER_TAP = 16;

/** The windows of a plane in order, as input offsets; −1 for padding. */
export function windowsOfPlane(windows: readonly KnownWindow[]): number[][] {
  const strides = stridesOf(windows.map((w) => w.size));
  const taps = windows.reduce((count, { out, kernel }) => count * out * kernel, 1);
  account()?.demand(BYTES_PER_TAP * taps, 'its windows');
  let planes: number[][] = [[0]];
  windows.forEach((window, axis) => {
    const stride = strides[axis] as number;
    const along = tapsAlong(window).map((taps) => taps.map((at) => (at < 0 || at >= window.size ? -1 : at * stride)));
    planes = planes.flatMap((outer) =>
      along.map((taps) => {
        account()?.spend(8 * outer.length * taps.length);
        return outer.flatMap((from) => taps.map((at) => (from < 0 || at < 0 ? -1 : from + at)));
      }),
    );
  });
  return planes;
}

/** Pools [N, C, spatial…] window by window. */
export function poolOnHost(x: TensorValue, windows: readonly KnownWindow[], fold: Fold): TensorValue {
  const values = numbersOf(x);
  const plane = windowsOfPlane(windows);
  const size = elementCount(windows.map((w) => w.size));
  const dims = [...x.dims.slice(0, 2), ...windows.map((w) => w.out)];
  const y = new Float64Array(elementCount(dims));
  for (let i = 0; i < y.length; i++) {
    const first = Math.floor(i / plane.length) * size;
    const taps = plane[i % plane.length] as number[];
    account()?.spend(4 * taps.length);
    y[i] = fold(
      taps.filter((at) => at >= 0).map((at) => values[first + at] as number),
      taps.length,
    );
  }
  return tensorOf(x.type, dims, y);
}

/** Index in x of the largest value of each window; `columnMajor` counts spatial axes in reverse order. */
export function maximaOf(x: TensorValue, windows: readonly KnownWindow[], columnMajor: boolean): TensorValue {
  const values = numbersOf(x);
  const plane = windowsOfPlane(windows);
  const sizes = windows.map((w) => w.size);
  const size = elementCount(sizes);
  const dims = [...x.dims.slice(0, 2), ...windows.map((w) => w.out)];
  const indices = new BigInt64Array(elementCount(dims));
  for (let i = 0; i < indices.length; i++) {
    const first = Math.floor(i / plane.length) * size;
    const taps = (plane[i % plane.length] as number[]).filter((at) => at >= 0);
    account()?.spend(4 * taps.length);
    const value = (at: number) => values[first + at] as number;
    const best = taps.reduce((a, b) => (value(b) > value(a) ? b : a), taps[0] as number);
    indices[i] = BigInt(first + (columnMajor ? transposed(best, sizes) : best));
  }
  return { type: 'int64', dims, data: indices };
}

/** The offset of the same element if the axes were stored in reverse order. */
function transposed(offset: number, sizes: readonly number[]): number {
  let result = 0;
  let step = 1;
  stridesOf(sizes).forEach((stride, axis) => {
    result += (Math.floor(offset / stride) % (sizes[axis] as number)) * step;
    step *= sizes[axis] as number;
  });
  return result;
}
