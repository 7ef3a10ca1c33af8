import type { TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { byteLength, dataLength, ELEMENTS, type ElementType, elementTypeOf } from '../tensor/element-types.js';
import { StoredTensor } from '../tensor/stored-tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { type ExternalData, readExternal } from './external-data.js';
import { fillInt64, type Int64, toNumber } from './int64.js';
import { text } from './read-protobuf.js';

const MAX_BYTES = 2 ** 32;

type Field = 'floatData' | 'doubleData' | 'int32Data' | 'int64Data' | 'uint64Data';

/** The typed field of each element type. All others use int32_data. Sub-byte types are packed as in raw_data, one byte per entry. */
const FIELDS: Partial<Record<ElementType, Field>> = {
  float32: 'floatData',
  complex64: 'floatData',
  float64: 'doubleData',
  complex128: 'doubleData',
  int64: 'int64Data',
  uint32: 'uint64Data',
  uint64: 'uint64Data',
};

/** Reads a tensor, https://github.com/onnx/onnx/blob/main/docs/IR.md#tensors. Aligned raw data is not copied. */
export function readTensor(proto: TensorProto, external?: ExternalData): TensorValue {
  const { type, dims, data } = readInitializer(proto, external);
  return { type, dims, data };
}

/** Like `readTensor`, but reads the data only on access. */
export function readInitializer(proto: TensorProto, external?: ExternalData): TensorValue {
  const type = readElementType(proto.dataType, proto.name);
  const dims = readDims(proto.dims, proto.name);
  const count = checkedCount(type, dims, proto.name);
  if (proto.segment) throw invalid(proto.name, 'is stored in segments, which ONNX does not define');
  if (type === 'string') return { type, dims, data: readStrings(proto, count) };
  const bytes = byteLength(type, count);
  if (proto.dataLocation === 1) return new StoredTensor(type, dims, readExternal(proto, bytes, external));
  const { rawData } = proto;
  if (!rawData?.length) return { type, dims, data: readTyped(proto, type, dims) };
  if (rawData.length !== bytes) throw wrongLength(proto.name, type, dims, bytes, rawData.length, 'bytes');
  return new StoredTensor(type, dims, () => rawData);
}

export function readElementType(code: number, name?: string): ElementType {
  const type = elementTypeOf(code);
  if (type) return type;
  throw invalid(name, code === 0 ? 'has no element type' : `has the element type ${code}, which ONNX does not define`);
}

/** Reads the dimensions of a tensor, which must be non-negative and exact. */
export function readDims(dims: readonly Int64[], name: string): number[] {
  return dims.map((dim) => {
    const size = toNumber(dim);
    if (size >= 0 && Number.isSafeInteger(size)) return size;
    throw invalid(name, `has the invalid dimension ${size}`);
  });
}

/** The number of elements. Throws an error if they exceed memory. */
export function checkedCount(type: ElementType, dims: readonly number[], name: string): number {
  const count = dims.includes(0) ? 0 : dims.reduce((product, dim) => product * dim, 1);
  if (count <= Number.MAX_SAFE_INTEGER && byteLength(type, count) <= MAX_BYTES) return count;
  throw invalid(name, `[${dims}] of ${type} exceeds 4 GiB`);
}

function readTyped(proto: TensorProto, type: ElementType, dims: readonly number[]): TensorValue['data'] {
  const values: readonly Int64[] = proto[FIELDS[type] ?? 'int32Data'];
  const length = dataLength(type, checkedCount(type, dims, proto.name));
  if (values.length !== length) throw wrongLength(proto.name, type, dims, length, values.length, 'values');
  const data = new (ELEMENTS[type].array ?? Uint8Array)(length);
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) fillInt64(data, values);
  else for (let i = 0; i < length; i++) data[i] = toNumber(values[i] as Int64);
  return data;
}

function readStrings(proto: TensorProto, count: number): string[] {
  const { stringData, name } = proto;
  if (proto.dataLocation === 1) throw new SardonyxError('EXTERNAL_DATA', 'strings cannot be external', { value: name });
  if (stringData.length === count) return stringData.map(text);
  throw wrongLength(name, 'string', readDims(proto.dims, name), count, stringData.length, 'values');
}

function wrongLength(
  name: string,
  type: ElementType,
  dims: readonly number[],
  expected: number,
  found: number,
  unit: string,
): SardonyxError {
  return invalid(name, `[${dims}] of ${type} needs ${expected} ${unit}, got ${found}`);
}

const invalid = (value: string | undefined, message: string): SardonyxError =>
  new SardonyxError('INVALID_MODEL', message, value ? { value } : {});
