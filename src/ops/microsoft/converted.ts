import type { Value } from '../../graph/graph.js';
import type { ElementType } from '../../tensor/element-types.js';
import { castTo, type Emitting } from '../emit.js';

/** A value of type `from` in type `to`. */
export const converted = (c: Emitting, value: Value, from: ElementType, to: ElementType): Value =>
  from === to ? value : castTo(c, value, to);
