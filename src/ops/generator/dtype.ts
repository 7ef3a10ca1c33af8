import { type ElementType, elementTypeOf } from '../../tensor/element-types.js';
import type { Inference } from '../definition.js';

/** A node whose attribute says of what type its output is. */
export type Typed = Inference<{ readonly dtype: number | undefined }>;

/** The element type that `dtype` names, or else `fallback`; it must be one of `types`. */
export function elementNamed(c: Typed, types: readonly ElementType[], fallback: () => ElementType): ElementType {
  const { dtype } = c.attributes;
  const element = dtype === undefined ? fallback() : elementTypeOf(dtype);
  if (element && types.includes(element)) return element;
  return c.fail('INVALID_ATTRIBUTE', `dtype names ${element ?? `no type (${dtype})`}; it takes ${types.join(', ')}`);
}
