import type { TypeProto } from 'sardonyx/model';

/** Element types by their numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, TensorProto.DataType. */
const ELEMENTS = [
  'undefined',
  'float32',
  'uint8',
  'int8',
  'uint16',
  'int16',
  'int32',
  'int64',
  'string',
  'bool',
  'float16',
  'float64',
  'uint32',
  'uint64',
  'complex64',
  'complex128',
  'bfloat16',
  'float8e4m3fn',
  'float8e4m3fnuz',
  'float8e5m2',
  'float8e5m2fnuz',
  'uint4',
  'int4',
  'float4e2m1',
  'float8e8m0',
  'uint2',
  'int2',
];

export const elementName = (type: number): string => ELEMENTS[type] ?? `type ${type}`;

/** `float32[batch, 128]`, `sequence of int64[?]`; '' where nothing is said. */
export function formatType(type: TypeProto | null | undefined): string {
  if (!type) return '';
  if (type.tensorType) return formatTensor(type.tensorType);
  if (type.sparseTensorType) return `sparse ${formatTensor(type.sparseTensorType)}`;
  if (type.sequenceType) return `sequence of ${formatType(type.sequenceType.elemType)}`;
  if (type.optionalType) return `optional ${formatType(type.optionalType.elemType)}`;
  if (type.mapType) return `map from ${elementName(type.mapType.keyType)} to ${formatType(type.mapType.valueType)}`;
  return '';
}

type TensorType = NonNullable<TypeProto['tensorType'] | TypeProto['sparseTensorType']>;

function formatTensor({ elemType, shape }: TensorType): string {
  const sizes = shape?.dim.map((dim) => dim.dimParam || (dim.dimValue == null ? '?' : `${dim.dimValue}`));
  return `${elementName(elemType)}${sizes ? `[${sizes.join(', ')}]` : ''}`;
}
