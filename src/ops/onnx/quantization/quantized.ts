import type { Value } from '../../../graph/graph.js';
import { type ElementType, rangeOf } from '../../../tensor/element-types.js';
import { arithmeticOn, castTo, type Emitting } from '../../emit.js';

/** Rounds float32 `scaled` to the nearest integers (ties to even), adds `zeroPoint` and saturates to type `to`. */
export function quantized(c: Emitting, scaled: Value, zeroPoint: Value | null, to: ElementType): Value {
  const f = arithmeticOn(c, 'float32');
  const rounded = f('Round', scaled);
  const moved = zeroPoint ? f('Add', rounded, zeroPoint) : rounded;
  return castTo(c, f('Clip', moved, ...rangeOf(to)), to);
}
