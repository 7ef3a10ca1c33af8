import type { ValueType } from '../../../graph/types.js';
import type { Evaluation, Inference } from '../../../schema/definition.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { elementCount, integers, type TensorValue } from '../../../tensor/tensor-value.js';
import { typeOfEither } from '../controlflow/type-of-either.js';

export const sequenceOf = (of: ValueType): ValueType => ({ kind: 'sequence', of });

/** The type of the elements of sequence `i`. */
export function elementType(c: Inference<unknown>, i: number): ValueType {
  const type = c.type(i);
  return type.kind === 'sequence' ? type.of : c.fail('INVALID_TYPE', `input ${i} must be a sequence`);
}

/** The element type of the tensors in sequence `i`. */
export function tensorElement(c: Inference<unknown>, i: number): ElementType {
  const type = elementType(c, i);
  return type.kind === 'tensor' ? type.element : c.fail('INVALID_TYPE', `input ${i} must be a sequence of tensors`);
}

/** Type of the elements of a sequence that contains both types. */
export function common(c: Inference<unknown>, a: ValueType, b: ValueType): ValueType {
  if (a.kind === 'tensor' && b.kind === 'tensor' && a.element !== b.element)
    c.fail('INVALID_TYPE', `a sequence cannot contain both ${a.element} and ${b.element}`);
  return typeOfEither(a, b, () => c.unknown());
}

/** The tensors of sequence `i`. */
export function elements(c: Evaluation<unknown>, i: number): readonly TensorValue[] {
  const value = c.value(i);
  return Array.isArray(value) ? value : c.fail('INVALID_TYPE', `input ${i} must be a sequence`);
}

/** The position in input `i`, for a sequence of `length`; negative positions count from the end. */
export function positionOf(c: Evaluation<unknown>, i: number, length: number, last = length - 1): number {
  const tensor = c.tensor(i);
  const [at = 0] =
    elementCount(tensor.dims) === 1 ? integers(tensor) : c.fail('INVALID_SHAPE', 'the position must have one element');
  if (at < -length || at > last)
    c.fail('INVALID_VALUE', `position ${at} is out of range: the sequence has ${length} elements`);
  return at < 0 ? at + length : at;
}
