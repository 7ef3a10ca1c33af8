import type { Inference } from '../../../schema/definition.js';
import { type ElementType, elementTypeOf } from '../../../tensor/element-types.js';

/** The element type with the code `code` of TensorProto.DataType; it must be one of `types`. */
export function elementNamed(c: Inference<unknown>, code: number, types: readonly ElementType[]): ElementType {
  const element = elementTypeOf(code);
  return element && types.includes(element) ? element : refuse(c, element ?? `${code}`, types);
}

/** Like `elementNamed`; the type of input 0 is the default. */
export function elementNamedOrLike(
  c: Inference<{ readonly dtype: number | undefined }>,
  types: readonly ElementType[],
): ElementType {
  const { dtype } = c.attributes;
  if (dtype !== undefined) return elementNamed(c, dtype, types);
  const element = c.element(0);
  return types.includes(element) ? element : refuse(c, element, types);
}

const refuse = (c: Inference<unknown>, named: string, types: readonly ElementType[]) =>
  c.fail('INVALID_ATTRIBUTE', `dtype is ${named}; expected ${types.join(', ')}`);
