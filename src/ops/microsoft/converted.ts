import type { Value } from '../../graph/graph.js';
import type { ElementType } from '../../tensor/element-types.js';
import { castTo, type Emitting } from '../emit.js';

/** Casts a value from type `from` to type `to` if they differ. */
export const converted = (c: Emitting, value: Value, from: ElementType, to: ElementType): Value =>
  from === to ? value : castTo(c, value, to);
