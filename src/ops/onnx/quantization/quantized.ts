import type { Value } from '../../../graph/graph.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { arithmeticOn, castTo, type Emitting } from '../../emit.js';

/** The least and the largest integer of a type. */
export function rangeOf(type: ElementType): readonly [number, number] {
  const { bits } = ELEMENTS[type];
  return type.startsWith('u') ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
}

export const isInteger = (type: ElementType): boolean => /^u?int/.test(type);

/** float32 `scaled` to the nearest integers (ties to even) from `zeroPoint` on, saturated to type `to`. */
export function quantized(c: Emitting, scaled: Value, zeroPoint: Value | null, to: ElementType): Value {
  const f = arithmeticOn(c, 'float32');
  const rounded = f('Round', scaled);
  const moved = zeroPoint ? f('Add', rounded, zeroPoint) : rounded;
  return castTo(c, f('Clip', moved, ...rangeOf(to)), to);
}
