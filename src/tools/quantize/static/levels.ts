import { roundHalfEven } from '../weights/blocks.js';
import { ARRAYS, type IntegerType, WHOLE } from './integers.js';
import { type Parameters, parametersOf, type Range, type Scheme } from './parameters.js';

/** What the integers of a tensor stand for: all alike, or each slice of an axis by itself. */
export interface Levels {
  readonly type: IntegerType;
  readonly scales: Float32Array;
  readonly zeroPoints: Int32Array;
  readonly axis?: number | undefined;
}

export type Codes = InstanceType<(typeof ARRAYS)[IntegerType]>;

type Visit = (begin: number, end: number, slice: number) => void;

/** Goes over a tensor in runs of numbers that belong to one slice of an axis. */
function eachRun(length: number, dims: readonly number[], axis: number | undefined, visit: Visit): void {
  const count = axis === undefined ? 1 : (dims[axis] as number);
  const inner = axis === undefined ? length : dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
  for (let begin = 0, run = 0; begin < length; begin += inner, run++) visit(begin, begin + inner, run % count);
}

/** The range of each slice; 0 alone where there is nothing. */
export function rangesOf(values: Float32Array, dims: readonly number[], axis?: number): Range[] {
  const ranges = Array.from({ length: axis === undefined ? 1 : (dims[axis] as number) }, () => ({
    lowest: Number.POSITIVE_INFINITY,
    highest: Number.NEGATIVE_INFINITY,
  }));
  eachRun(values.length, dims, axis, (begin, end, slice) => {
    const range = ranges[slice] as { lowest: number; highest: number };
    for (let i = begin; i < end; i++) {
      const x = values[i] as number;
      if (x < range.lowest) range.lowest = x;
      if (x > range.highest) range.highest = x;
    }
  });
  return values.length > 0 ? ranges : ranges.map(() => ({ lowest: 0, highest: 0 }));
}

/** The levels of slices by their ranges. */
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

/** Numbers as integers: divided in single precision and rounded half to even, as onnxruntime's quantiser does. */
export function quantized(values: Float32Array, dims: readonly number[], levels: Levels): Codes {
  const { type, axis, scales, zeroPoints } = levels;
  const [low, high] = WHOLE[type];
  const codes = new ARRAYS[type](values.length);
  eachRun(values.length, dims, axis, (begin, end, slice) => {
    const [scale, zero] = [scales[slice] as number, zeroPoints[slice] as number];
    for (let i = begin; i < end; i++) {
      const steps = roundHalfEven(Math.fround((values[i] as number) / scale)) + zero;
      codes[i] = steps < low ? low : steps > high ? high : steps;
    }
  });
  return codes;
}

/** The numbers that integers stand for. */
export function dequantized(codes: ArrayLike<number>, dims: readonly number[], levels: Levels): Float32Array {
  const { axis, scales, zeroPoints } = levels;
  const values = new Float32Array(codes.length);
  eachRun(codes.length, dims, axis, (begin, end, slice) => {
    const [scale, zero] = [scales[slice] as number, zeroPoints[slice] as number];
    for (let i = begin; i < end; i++) values[i] = ((codes[i] as number) - zero) * scale;
  });
  return values;
}
