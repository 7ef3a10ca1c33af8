import type { Value } from '../../graph/graph.js';
import { ELEMENTS, type ElementType } from '../../tensor/element-types.js';
import { int64List, intAttribute } from '../constants.js';
import type { Decomposition } from '../definition.js';

/** Products of two numbers of up to 255 that float32 adds up without rounding: 2²⁴ / 255². */
export const EXACT_PRODUCTS = 258;

export const castTo = (c: Decomposition<unknown>, value: Value, type: ElementType): Value =>
  c.emit('Cast', [value], { to: intAttribute(ELEMENTS[type].onnx) })[0] as Value;

/** Elements from…to of an axis. */
export function sliceOf(c: Decomposition<unknown>, value: Value, axis: number, from: number, to: number): Value {
  const list = (x: number) => c.constant(int64List([x]));
  return c.emit('Slice', [value, list(from), list(to), list(axis)])[0] as Value;
}

/** 8-bit input `i` less its zero point as float32; the zero point is reshaped to `shape` where it has several entries. */
export function centered(c: Decomposition<unknown>, i: number, zeroPoint: number, shape: readonly number[]): Value {
  const x = castTo(c, c.input(i), 'float32');
  if (!c.given(zeroPoint)) return x;
  const own = castTo(c, c.input(zeroPoint), 'float32');
  const several = (c.dims(zeroPoint) ?? []).some((d) => d !== 1);
  const [spread] = several ? (c.emit('Reshape', [own, c.constant(int64List(shape))]) as [Value]) : [own];
  return c.emit('Sub', [x, spread])[0] as Value;
}

/** The int32 sum of what `part` computes in float32 for each run of `step` of `length` terms. */
export function sumExactly(
  c: Decomposition<unknown>,
  length: number,
  step: number,
  part: (from: number, to: number) => Value,
): Value {
  let sum: Value | undefined;
  for (let from = 0; from === 0 || from < length; from += step) {
    const own = castTo(c, part(from, Math.min(from + step, length)), 'int32');
    sum = sum ? (c.emit('Add', [sum, own])[0] as Value) : own;
  }
  return sum as Value;
}
