import type { TensorProto, TypeProto } from 'sardonyx/model';
import { type Int64, toBigInt } from '../../../../src/model/int64.js';

/** By TensorProto.DataType. */
export const ELEMENT_NAMES: readonly string[] =
  `undefined float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64 complex64 complex128
  bfloat16 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz uint4 int4 float4e2m1 float8e8m0 uint2 int2`.split(
    /\s+/,
  );
export const elementName = (code: number): string => ELEMENT_NAMES[code] ?? `type ${code}`;

/** `float32[batch, 128]`, `sequence(float32[?])`; '' if there is no type. */
export function typeText(type: TypeProto | null | undefined): string {
  if (!type) return '';
  const { tensorType, sparseTensorType, sequenceType, optionalType, mapType } = type;
  if (tensorType) return tensorText(tensorType);
  if (sparseTensorType) return `sparse ${tensorText(sparseTensorType)}`;
  if (sequenceType) return `sequence(${typeText(sequenceType.elemType)})`;
  if (optionalType) return `optional(${typeText(optionalType.elemType)})`;
  if (mapType) return `map(${elementName(mapType.keyType)}, ${typeText(mapType.valueType)})`;
  return '';
}

export const weightText = (weight: TensorProto): string =>
  `${elementName(weight.dataType)}[${weight.dims.map((size) => toBigInt(size as Int64)).join(', ')}]`;

function tensorText({ elemType, shape }: TypeProto.Tensor | TypeProto.SparseTensor): string {
  if (!elemType) return '';
  return shape ? `${elementName(elemType)}[${shape.dim.map(dimText).join(', ')}]` : elementName(elemType);
}

const dimText = ({ dimParam, dimValue }: { dimParam?: string | null; dimValue?: unknown }): string =>
  dimParam || (dimValue === undefined || dimValue === null ? '?' : `${toBigInt(dimValue as Int64)}`);
