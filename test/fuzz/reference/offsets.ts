import { countOf } from './array.js';

/** Distance between neighbours along each axis of a row-major tensor. */
export function stridesOf(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length).fill(1);
  for (let axis = dims.length - 2; axis >= 0; axis--) {
    strides[axis] = (strides[axis + 1] as number) * (dims[axis + 1] as number);
  }
  return strides;
}

/** Steps of one axis: 0, stride, 2·stride … */
export const steps = (size: number, stride: number, start = 0): number[] =>
  Array.from({ length: size }, (_, i) => start + i * stride);

/** The sum of one entry of every table, the last table's entries changing fastest. */
export function sums(tables: readonly (readonly number[])[]): Float64Array {
  let found = new Float64Array(1);
  for (const table of tables) {
    const next = new Float64Array(found.length * table.length);
    let at = 0;
    for (const base of found) for (const step of table) next[at++] = base + step;
    found = next;
  }
  return found;
}

/** Where each element of a tensor of these dims lies, given the distance between neighbours on each axis. */
export const offsets = (dims: readonly number[], strides: readonly number[]): Float64Array =>
  sums(dims.map((size, axis) => steps(size, strides[axis] as number)));

export function broadcastDims(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(0, ...shapes.map(({ length }) => length));
  return Array.from({ length: rank }, (_, axis) => {
    const sizes = shapes.map((dims) => dims[axis - rank + dims.length] ?? 1);
    const size = sizes.find((size) => size !== 1) ?? 1;
    if (sizes.some((other) => other !== 1 && other !== size)) throw new RangeError(`no broadcast of ${sizes}`);
    return size;
  });
}

/** Where each element of the broadcast tensor lies in one of dims `from`. */
export function broadcastOffsets(from: readonly number[], to: readonly number[]): Float64Array {
  const strides = stridesOf(from);
  const lead = to.length - from.length;
  return offsets(
    to,
    to.map((_, axis) => (axis < lead || from[axis - lead] === 1 ? 0 : (strides[axis - lead] as number))),
  );
}

/** Dims before an axis, its size, and the elements after it, as counts. */
export const around = (dims: readonly number[], axis: number) => ({
  outer: countOf(dims.slice(0, axis)),
  size: dims[axis] as number,
  inner: countOf(dims.slice(axis + 1)),
});
