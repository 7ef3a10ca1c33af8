import type { Value } from '../../graph/graph.js';
import type { Decomposition, Inference } from '../../schema/definition.js';
import { requireSpreading } from '../../schema/shapes.js';
import { type ElementType, rangeOf } from '../../tensor/element-types.js';
import { numbersOf } from '../../tensor/numbers.js';
import { arithmeticOn, castTo, type Emitting, reshapeTo } from '../emit.js';
import { emitByteTable } from '../emit-bytes.js';
import { parameterIn } from '../onnx/quantization/granularity.js';
import { quantized } from '../onnx/quantization/quantized.js';

type Node = Decomposition<unknown>;

/** Scale and zero point. A quantized tensor takes three inputs: integers at `i`, scale at `i` + 1, zero point at `i` + 2. */
export interface Levels {
  readonly scale: Value;
  /** Null if 0. */
  readonly zeroPoint: Value | null;
}

/** Checks that each of these inputs, if given, is one number. */
export function requireOne(c: Inference<unknown>, ...inputs: readonly number[]): void {
  for (const i of inputs) requireSpreading(c, i, [1]);
}

/** Checks that the scales at these inputs, and the zero points after them, are one number each. */
export function requireOneLevel(c: Inference<unknown>, ...scales: readonly number[]): void {
  for (const i of scales) requireOne(c, i, i + 1);
}

/** Input `i`, one number, as a float32 scalar. */
export const scalarAt = (c: Node, i: number): Value => reshapeTo(c, parameterIn(c, i, 'float32'), []);

/** The scale at input `i` and the zero point after it. */
export const levelsAt = (c: Node, i: number): Levels => ({
  scale: scalarAt(c, i),
  zeroPoint: c.given(i + 1) ? scalarAt(c, i + 1) : null,
});

/** Integers minus their zero point, in float32. */
export function distances(c: Emitting, x: Value, { zeroPoint }: Levels): Value {
  const floats = castTo(c, x, 'float32');
  return zeroPoint ? arithmeticOn(c, 'float32')('Sub', floats, zeroPoint) : floats;
}

/** Scale and zero point that are constant. */
export interface KnownLevels {
  readonly scale: number;
  readonly zero: number;
}

export function knownLevels(c: Inference<unknown>, i: number): KnownLevels | undefined {
  const numberAt = (at: number) => {
    const known = c.contents(at);
    return known && numbersOf(known)[0];
  };
  const [scale, zero] = [numberAt(i), c.given(i + 1) ? numberAt(i + 1) : 0];
  return scale === undefined || zero === undefined ? undefined : { scale, zero };
}

/** Dequantizes to float32. */
export const dequantizedFrom = (c: Emitting, x: Value, levels: Levels): Value =>
  arithmeticOn(c, 'float32')('Mul', distances(c, x, levels), levels.scale);

/** Dequantizes input `i` to float32. */
export const dequantizedAt = (c: Node, i: number): Value => dequantizedFrom(c, c.input(i), levelsAt(c, i + 1));

/** Applies `compute` to the integers at input `i`; by a lookup table if scales and zero points of input and result are constant. */
export function throughTable(c: Node, i: number, resultAt: number, compute: (x: Value) => Value): Value {
  const isKnown = [i + 1, resultAt].every((at) => knownLevels(c, at));
  return isKnown ? emitByteTable(c, c.input(i), c.element(i), compute) : compute(c.input(i));
}

/** Quantizes float32 `x`: divides, rounds, and adds the zero point. */
export const quantizedTo = (c: Emitting, x: Value, { scale, zeroPoint }: Levels, to: ElementType): Value =>
  quantized(c, arithmeticOn(c, 'float32')('Div', x, scale), zeroPoint, to);

/** Quantizes float32 `steps`. Adds the zero point before rounding, so that ties go to even results. */
export function roundedFrom(c: Emitting, steps: Value, zeroPoint: Value | null, to: ElementType): Value {
  const f = arithmeticOn(c, 'float32');
  const moved = zeroPoint ? f('Add', steps, zeroPoint) : steps;
  return castTo(c, f('Clip', f('Round', moved), ...rangeOf(to)), to);
}

/** Element types of quantized tensors. */
export const BYTES: readonly ElementType[] = ['uint8', 'int8'];
