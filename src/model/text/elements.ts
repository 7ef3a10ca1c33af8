import type { TensorProto } from '../../../build/onnx.js';
import { fromBigInt, type Int64, toBigInt } from '../int64.js';
import { ELEMENT_NAMES } from './names.js';

type Tensor = TensorProto.$Properties;
type Field = 'floatData' | 'doubleData' | 'int32Data' | 'int64Data' | 'uint64Data';
type View =
  | 'Float32'
  | 'Float64'
  | 'Int8'
  | 'Uint8'
  | 'Int16'
  | 'Uint16'
  | 'Int32'
  | 'Uint32'
  | 'BigInt64'
  | 'BigUint64';

/** The format of a type's elements in raw data, and their typed field. */
interface Form {
  readonly field: Field;
  readonly bytes: number;
  readonly view: View;
}

const form = (field: Field, bytes: number, view: View): Form => ({ field, bytes, view });
const BYTE = form('int32Data', 1, 'Uint8');
const HALF = form('int32Data', 2, 'Uint16');

/** 16- and 8-bit floats use the integers with the same bits. */
const FORMS: Readonly<Record<string, Form>> = {
  float: form('floatData', 4, 'Float32'),
  double: form('doubleData', 8, 'Float64'),
  int8: form('int32Data', 1, 'Int8'),
  int16: form('int32Data', 2, 'Int16'),
  int32: form('int32Data', 4, 'Int32'),
  int64: form('int64Data', 8, 'BigInt64'),
  uint32: form('uint64Data', 4, 'Uint32'),
  uint64: form('uint64Data', 8, 'BigUint64'),
  ...{ uint8: BYTE, bool: BYTE, uint16: HALF, float16: HALF, bfloat16: HALF },
  ...{ float8e4m3fn: BYTE, float8e4m3fnuz: BYTE, float8e5m2: BYTE, float8e5m2fnuz: BYTE, float8e8m0: BYTE },
};

/** Undefined for types without such a format: strings, complex numbers, elements below a byte. */
export const formOf = (dataType: number | null | undefined): Form | undefined =>
  FORMS[ELEMENT_NAMES[dataType ?? 0] ?? 'none'];

/** The elements in raw data. */
export function fromRaw({ bytes, view }: Form, raw: Uint8Array): (number | bigint)[] {
  const data = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const read = `get${view}` as const;
  return Array.from({ length: raw.length / bytes }, (_, i) => data[read](i * bytes, true));
}

/** The raw data of the elements in a typed field; empty if the type has no such format. */
export function toRaw(tensor: Tensor): Uint8Array {
  const found = formOf(tensor.dataType);
  const values = found ? (tensor[found.field] ?? []) : [];
  if (!found) return new Uint8Array();
  const raw = new Uint8Array(values.length * found.bytes);
  const data = new DataView(raw.buffer);
  const isBig = found.view.startsWith('Big');
  const write = data[`set${found.view}`] as (at: number, value: number | bigint, isLittle: boolean) => void;
  values.forEach((value, i) => {
    write.call(data, i * found.bytes, isBig ? toBigInt(value) : Number(numberIn(value)), true);
  });
  return raw;
}

const numberIn = (value: Int64): number => (typeof value === 'number' ? value : Number(toBigInt(value)));

/** The same tensor with its elements as raw data. */
export function withRawData(tensor: Tensor): Tensor {
  const found = formOf(tensor.dataType);
  if (!found) return { ...tensor, rawData: new Uint8Array() };
  const { [found.field]: _, ...rest } = tensor;
  return { ...rest, rawData: toRaw(tensor) };
}

export const longOf = (value: number | bigint): Int64 => (typeof value === 'bigint' ? fromBigInt(value) : value);
