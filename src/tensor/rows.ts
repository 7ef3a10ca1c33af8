import { ELEMENTS, type TypedArray } from './element-types.js';
import { emptyEntries, entriesOf, tensorOfEntries } from './packed.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Gathers rows of `row` elements: row i of the result is row `sources[i]` of `x`, or empty for −1. */
export function takeRows(
  x: TensorValue,
  sources: ArrayLike<number>,
  row: number,
  dims: readonly number[],
): TensorValue {
  const length = row * (ELEMENTS[x.type].entries ?? 1);
  const data = emptyEntries(x.type, dims) as unknown[];
  const from = entriesOf(x) as unknown[];
  for (let i = 0; i < sources.length; i++) {
    const at = (sources[i] as number) * length;
    if (at < 0) continue;
    for (let k = 0; k < length; k++) data[i * length + k] = from[at + k];
  }
  return tensorOfEntries(x.type, dims, data as string[]);
}

/** A shape as [outer, length, inner] around an axis. */
export interface AxisView {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

export const aboutAxis = (dims: readonly number[], axis: number, axes = 1): AxisView => ({
  outer: elementCount(dims.slice(0, axis)),
  length: elementCount(dims.slice(axis, axis + axes)),
  inner: elementCount(dims.slice(axis + axes)),
});

/** Below this number of entries, a copy one by one is faster than `set` of a view. */
const MIN_VIEW = 16;

function copyRun(
  from: TensorValue['data'],
  start: number,
  length: number,
  to: TypedArray | string[],
  at: number,
): void {
  if (ArrayBuffer.isView(from) && length >= MIN_VIEW) {
    (to as TypedArray).set(from.subarray(start, start + length) as never, at);
    return;
  }
  for (let k = 0; k < length; k++) to[at + k] = from[start + k] as never;
}

/** Concatenates tensors along an axis. */
export function joinRows(parts: readonly TensorValue[], dims: readonly number[], axis: number): TensorValue {
  const { type } = parts[0] as TensorValue;
  const { entries = 1 } = ELEMENTS[type];
  const data = emptyEntries(type, dims);
  const stride = elementCount(dims.slice(axis)) * entries;
  let offset = 0;
  for (const part of parts) {
    const { outer, length, inner } = aboutAxis(part.dims, axis);
    const run = length * inner * entries;
    const from = entriesOf(part);
    for (let o = 0; o < outer; o++) copyRun(from, o * run, run, data, o * stride + offset);
    offset += run;
  }
  return tensorOfEntries(type, dims, data);
}
