import type { TypeProto } from '../../../build/onnx.js';
import { elementTypeOf } from '../../tensor/element-types.js';

/** The maximum depth of nested types. Deeper types are not checked. */
export const MAX_NESTING = 64;

/** A type without shapes, as in schemas: `float32`, `seq(optional(int64))`; undefined if it is incomplete. */
export function typeText(type: TypeProto | null | undefined, depth = 0): string | undefined {
  if (!type || depth > MAX_NESTING) return undefined;
  const inner = (word: string, of: TypeProto | null | undefined) => {
    const text = typeText(of, depth + 1);
    return text && `${word}(${text})`;
  };
  if (type.tensorType) return elementTypeOf(type.tensorType.elemType);
  if (type.sequenceType) return inner('seq', type.sequenceType.elemType);
  if (type.optionalType) return inner('optional', type.optionalType.elemType);
  if (!type.mapType) return undefined;
  const value = typeText(type.mapType.valueType, depth + 1);
  const key = elementTypeOf(type.mapType.keyType);
  return key && value && `map(${key},${value})`;
}
