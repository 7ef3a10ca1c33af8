import { TensorShapeProto, TypeProto } from '../../../build/onnx.js';
import type { ValueType } from '../../graph/types.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { decodeExactly } from '../../model/document/decode.js';
import { encodeExactly } from '../../model/document/encode.js';
import { writeType } from '../../model/write-attributes.js';

type Dimension = TensorShapeProto.Dimension;

/** Changes the dimensions of a type, including those of nested types. */
export function withDims(type: TypeProto, change: (dim: Dimension) => Dimension): TypeProto {
  const { tensorType, sparseTensorType, sequenceType, optionalType, mapType } = type;
  if (tensorType) return withChanges(type, { tensorType: withShape(tensorType, change) });
  if (sparseTensorType) return withChanges(type, { sparseTensorType: withShape(sparseTensorType, change) });
  const inner = sequenceType ?? optionalType;
  if (inner?.elemType) {
    const wrapped = withChanges(inner, { elemType: withDims(inner.elemType, change) });
    return withChanges(type, sequenceType ? { sequenceType: wrapped } : { optionalType: wrapped });
  }
  if (!mapType?.valueType) return type;
  return withChanges(type, { mapType: withChanges(mapType, { valueType: withDims(mapType.valueType, change) }) });
}

const withShape = <T extends { shape?: TensorShapeProto | null }>(
  tensor: T,
  change: (dim: Dimension) => Dimension,
): T => {
  const { shape } = tensor;
  if (!shape) return tensor;
  return withChanges<{ shape?: TensorShapeProto | null }>(tensor, {
    shape: withChanges(shape, { dim: changedList(shape.dim, change) }),
  }) as T;
};

/** A dimension with a size or a name, or an unnamed one. */
export const dimension = (size: number | string | undefined): Dimension =>
  new TensorShapeProto.Dimension(
    size === undefined ? {} : typeof size === 'number' ? { dimValue: size } : { dimParam: size },
  );

/** Names that inference gives to unnamed sizes. */
const NAMELESS = /^\?-?\d*$/;

/** Converts a type to a message. */
export function typeProto(type: ValueType): TypeProto {
  const proto = decodeExactly(TypeProto, encodeExactly(TypeProto, writeType(type) as TypeProto), 'type');
  return withDims(proto, (dim) => (NAMELESS.test(dim.dimParam ?? '') ? dimension(undefined) : dim));
}
