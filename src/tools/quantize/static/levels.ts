import { newBytes, type Take } from '../../../model/document/left-bytes.js';
import { SHIFT } from '../weights/blocks.js';
import { ARRAYS, type IntegerType, WHOLE } from './integers.js';
import { type Parameters, parametersOf, type Range, type Scheme } from './parameters.js';

/** The scales and zero points of a tensor: one each, or one per slice of an axis. */
export interface Levels {
  readonly type: IntegerType;
  readonly scales: Float32Array;
  readonly zeroPoints: Int32Array;
  readonly axis?: number | undefined;
}

export type Codes = InstanceType<(typeof ARRAYS)[IntegerType]>;

/** The memory layout of slices: `inner` elements of each of `count` slices in turn, repeated. */
interface Slices {
  readonly count: number;
  readonly inner: number;
}

function slicesOf(length: number, dims: readonly number[], axis: number | undefined): Slices {
  if (axis === undefined) return { count: 1, inner: length };
  return { count: dims[axis] as number, inner: dims.slice(axis + 1).reduce((product, dim) => product * dim, 1) };
}

/** The range of each slice; just 0 for an empty one. */
export function rangesOf(values: Float32Array, dims: readonly number[], axis?: number): Range[] {
  const { count, inner } = slicesOf(values.length, dims, axis);
  const lowest = new Float32Array(count).fill(Number.POSITIVE_INFINITY);
  const highest = new Float32Array(count).fill(Number.NEGATIVE_INFINITY);
  for (let begin = 0, slice = 0; begin < values.length; begin += inner, slice = (slice + 1) % count) {
    let [low, high] = [lowest[slice] as number, highest[slice] as number];
    for (let i = begin; i < begin + inner; i++) {
      const x = values[i] as number;
      if (x < low) low = x;
      if (x > high) high = x;
    }
    lowest[slice] = low;
    highest[slice] = high;
  }
  const rangeOf = (lowest: number, highest: number): Range => ({ lowest, highest });
  return Array.from(lowest, (low, i) => (values.length > 0 ? rangeOf(low, highest[i] as number) : rangeOf(0, 0)));
}

/** The levels of slices with the given ranges. */
export function levelsOf(ranges: readonly Range[], scheme: Scheme, axis?: number): Levels {
  return levelsBy(
    ranges.map((range) => parametersOf(range, scheme)),
    scheme.type,
    axis,
  );
}

export const levelsBy = (parameters: readonly Parameters[], type: IntegerType, axis?: number): Levels => ({
  type,
  axis,
  scales: Float32Array.from(parameters, ({ scale }) => scale),
  zeroPoints: Int32Array.from(parameters, ({ zeroPoint }) => zeroPoint),
});

/** Allocates codes. */
export function blank(type: IntegerType, length: number, take: Take = newBytes): Codes {
  const { buffer, byteOffset } = take(length * ARRAYS[type].BYTES_PER_ELEMENT);
  return new ARRAYS[type](buffer as ArrayBuffer, byteOffset, length);
}

/** Quantizes values: divides in single precision and rounds half to even, as onnxruntime's quantizer does. */
export function quantized(values: Float32Array, dims: readonly number[], levels: Levels, take?: Take): Codes {
  const { type, axis, scales, zeroPoints } = levels;
  const { count, inner } = slicesOf(values.length, dims, axis);
  const [low, high] = WHOLE[type];
  const codes = blank(type, values.length, take);
  for (let begin = 0, slice = 0; begin < values.length; begin += inner, slice = (slice + 1) % count) {
    const [scale, zero] = [scales[slice] as number, zeroPoints[slice] as number];
    const [least, most] = [low - zero, high - zero];
    for (let i = begin; i < begin + inner; i++) {
      const steps = Math.fround((values[i] as number) / scale);
      codes[i] = (steps <= least ? least : steps >= most ? most : steps + SHIFT - SHIFT) + zero;
    }
  }
  return codes;
}

/** Dequantizes codes. */
export function dequantized(codes: ArrayLike<number>, dims: readonly number[], levels: Levels): Float32Array {
  const { axis, scales, zeroPoints } = levels;
  const { count, inner } = slicesOf(codes.length, dims, axis);
  const values = new Float32Array(codes.length);
  for (let begin = 0, slice = 0; begin < codes.length; begin += inner, slice = (slice + 1) % count) {
    const [scale, zero] = [scales[slice] as number, zeroPoints[slice] as number];
    for (let i = begin; i < begin + inner; i++) values[i] = ((codes[i] as number) - zero) * scale;
  }
  return values;
}
