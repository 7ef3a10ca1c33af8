import { broadcast, normalAxis } from '../graph/dims.js';
import { differ, isSame } from '../graph/guards.js';
import type { Size } from '../graph/sizes.js';
import { type TensorType, tensorType } from '../graph/types.js';
import { numbersOf } from '../tensor/numbers.js';
import { elementCount } from '../tensor/tensor-value.js';
import type { Inference } from './definition.js';

type Node = Inference<unknown>;

/** Output 0 has the type of input 0. */
export const sameAsInput = (c: Node) => [c.type(0)];

/** The axis counted from 0. Throws an error if it is outside the rank. */
export function axisOf(c: Node, axis: number, rank: number): number {
  const normal = normalAxis(axis, rank);
  return typeof normal === 'string' ? c.fail('INVALID_ATTRIBUTE', normal) : normal;
}

export const axesOf = (c: Node, axes: readonly number[], rank: number): number[] =>
  axes.map((axis) => axisOf(c, axis, rank));

/** Dims that the inputs `indices` broadcast to, or undefined while a rank is unknown. */
export function broadcastInputs(c: Node, indices: readonly number[]): Size[] | undefined {
  let result: Size[] = [];
  for (const i of indices) {
    const dims = c.dims(i);
    if (!dims) return undefined;
    const joined = broadcast(result, dims);
    if (typeof joined === 'string') c.fail('INVALID_SHAPE', joined);
    result = joined;
  }
  return result;
}

/** The dims of input `i`, which must have this rank; undefined while unknown. */
export function dimsOfRank(c: Node, i: number, rank: number): readonly Size[] | undefined {
  const dims = c.dims(i);
  if (dims && dims.length !== rank) c.fail('INVALID_SHAPE', `input ${i} must have rank ${rank}, not [${dims}]`);
  return dims;
}

/** A tensor of input `i`'s element type. */
export const like = (c: Node, i: number, dims: readonly Size[] | undefined): TensorType =>
  tensorType(c.element(i), dims);

/** The single element of input `i`; undefined if it is unknown or absent. */
export function numberAt(c: Node, i: number): number | undefined {
  const given = c.contents(i);
  if (given && elementCount(given.dims) !== 1)
    c.fail('INVALID_SHAPE', `input ${i} must have one element, not [${given.dims}]`);
  return given && (numbersOf(given)[0] as number);
}

/** Checks that input `i`, if present, broadcasts to `wanted` without enlarging it: ONNX's unidirectional broadcasting. */
export function requireSpreading(c: Node, i: number, wanted: readonly Size[] | undefined): void {
  const dims = c.given(i) ? c.dims(i) : undefined;
  if (!dims || !wanted) return;
  const fits =
    dims.length <= wanted.length &&
    dims.every((d, axis) => {
      const size = wanted[wanted.length - dims.length + axis];
      return isSame(d, 1) || !differ(d, size);
    });
  if (!fits) c.fail('INVALID_SHAPE', `input ${i} of [${dims}] cannot be broadcast to [${wanted}]`);
}

/** Whether `dims` broadcast to `wanted` without enlarging it, whatever the values of symbols. */
export const surelySpreads = (dims: readonly Size[], wanted: readonly Size[]): boolean =>
  dims.length <= wanted.length &&
  dims.every((d, axis) => isSame(d, 1) || isSame(d, wanted[wanted.length - dims.length + axis] as Size));

/** Checks that input `i`, if present, has one element. */
export function requireOne(c: Node, i: number): void {
  const dims = c.given(i) ? c.dims(i) : undefined;
  if (dims?.some((d) => differ(d, 1))) c.fail('INVALID_SHAPE', `input ${i} must have one element, not [${dims}]`);
}

/** Checks that input `i`, if present, has these dims, as far as both are known. Kernels rely on this. */
export function requireDims(c: Node, i: number, wanted: readonly (Size | undefined)[]): void {
  const dims = c.given(i) ? c.dims(i) : undefined;
  if (!dims) return;
  const fits = dims.length === wanted.length && !dims.some((d, axis) => differ(d, wanted[axis]));
  if (!fits) c.fail('INVALID_SHAPE', `input ${i} must be [${wanted}], not [${dims}]`);
}

/** A tensor in linear memory has at most 32 axes larger than 1. */
const MAX_RANK = 1024;

/** `rank` unknown dims. */
export function openDims(c: Inference<unknown>, rank: Size | undefined): Size[] | undefined {
  if (typeof rank !== 'number') return undefined;
  if (rank > MAX_RANK) c.fail('INVALID_SHAPE', `a shape has at most ${MAX_RANK} dimensions, not ${rank}`);
  return Array.from({ length: rank }, () => c.unknown());
}
