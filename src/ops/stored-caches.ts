// Caches of keys and values that attention reads as stored, in each of their element types.
import type { Value } from '../graph/graph.js';
import type { Inference } from '../schema/definition.js';
import type { ElementType } from '../tensor/element-types.js';
import { SCALE_BYTES } from '../tensor/scaled-rows.js';
import { castTo, type Emitting, emitOne } from './emit.js';

const MAX_SIZE = 2048;

/** Whether attention can read heads of `size` from caches as stored. */
export const isCacheRead = (size: number): boolean => size % 8 === 0 && size <= MAX_SIZE;

export const UNREADABLE =
  'int8 caches need heads whose size is a multiple of 8, at most 2048, and cannot return scores';

/** Whether attention reads rows of this type as stored. */
export const isReadAsStored = (element: ElementType): boolean =>
  element === 'float32' || element === 'float16' || element === 'int8';

/** The element type of the rows of a cache, input `past`. In a model it must be `element`; in a plan it is the type of the stored rows. */
export function storedElement(c: Inference<unknown>, past: number, element: ElementType): ElementType {
  if (!c.given(past)) return element;
  const declared = c.node.inputs[past]?.type;
  const own = declared?.kind === 'tensor' ? declared.element : c.element(past);
  if (own !== element)
    c.fail('INVALID_TYPE', `its input ${past} is ${own}, but an earlier input of the same type is ${element}`);
  return c.element(past);
}

/** Columns of a cache for a head size of `size`. */
export const storedColumns = (stored: ElementType, size: number): number =>
  stored === 'int8' ? size + SCALE_BYTES : size;

/** Converts rows to the type in which a cache stores them. */
export function storedRows(c: Emitting, rows: Value, element: ElementType, stored: ElementType): Value {
  if (element === stored) return rows;
  if (stored !== 'int8') return castTo(c, rows, stored);
  return emitOne(c, 'sardonyx:NarrowRows', [element === 'float32' ? rows : castTo(c, rows, 'float32')]);
}
