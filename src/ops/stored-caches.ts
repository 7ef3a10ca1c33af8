// Caches of keys and values that attention reads as they are stored, whatever the model gives them as.
import type { Value } from '../graph/graph.js';
import type { Inference } from '../schema/definition.js';
import type { ElementType } from '../tensor/element-types.js';
import { SCALE_BYTES } from '../tensor/scaled-rows.js';
import { castTo, type Emitting, emitOne } from './emit.js';

const MAX_SIZE = 2048;

/** Whether heads of `size` can be read as caches hold them. */
export const isCacheRead = (size: number): boolean => size % 8 === 0 && size <= MAX_SIZE;

export const UNREADABLE =
  'int8 caches need heads whose size is a multiple of 8, at most 2048, and cannot return scores';

/** Whether rows of this type are read as they are stored. */
export const isReadAsStored = (element: ElementType): boolean =>
  element === 'float32' || element === 'float16' || element === 'int8';

/** What the rows of a cache, an input, are stored as: for a model, in which it must be there, `element`; for a plan, what its rows are. */
export function storedElement(c: Inference<unknown>, past: number, element: ElementType): ElementType {
  if (!c.given(past)) return element;
  const declared = c.node.inputs[past]?.type;
  const own = declared?.kind === 'tensor' ? declared.element : c.element(past);
  if (own !== element)
    c.fail('INVALID_TYPE', `its input ${past} is ${own}, but an earlier input of the same type is ${element}`);
  return c.element(past);
}

/** Columns of a cache of heads of `size`. */
export const storedColumns = (stored: ElementType, size: number): number =>
  stored === 'int8' ? size + SCALE_BYTES : size;

/** Rows as a cache stores them. */
export function storedRows(c: Emitting, rows: Value, element: ElementType, stored: ElementType): Value {
  if (element === stored) return rows;
  if (stored !== 'int8') return castTo(c, rows, stored);
  return emitOne(c, 'sardonyx:NarrowRows', [element === 'float32' ? rows : castTo(c, rows, 'float32')]);
}
