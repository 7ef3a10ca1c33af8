import { SardonyxError } from '../../base/errors.js';
import { byteLength, ELEMENTS, type ElementType, type TypedArrayConstructor } from '../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';

/** https://huggingface.co/docs/safetensors: the length of the header, the header in JSON, the data. */
interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

const NAMES: Partial<Record<ElementType, string>> = {
  float64: 'F64',
  float32: 'F32',
  float16: 'F16',
  bfloat16: 'BF16',
  int64: 'I64',
  int32: 'I32',
  int16: 'I16',
  int8: 'I8',
  uint8: 'U8',
  bool: 'BOOL',
};

const TYPES = Object.fromEntries(Object.entries(NAMES).map(([type, name]) => [name, type])) as Record<
  string,
  ElementType
>;

type Bytes = Pick<Uint8Array, 'buffer' | 'byteOffset' | 'byteLength'>;

/** Writes tensors by name to a file. */
export function writeSafetensors(tensors: ReadonlyMap<string, TensorValue>): Uint8Array {
  let end = 0;
  const entries = [...tensors].map(([name, { type, dims, data }]): [string, Entry] => {
    const dtype = NAMES[type];
    if (!dtype) throw new SardonyxError('UNSUPPORTED_TYPE', `${type} cannot be saved`, { value: name });
    const begin = end;
    end += (data as unknown as Bytes).byteLength;
    return [name, { dtype, shape: dims, data_offsets: [begin, end] }];
  });
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const file = new Uint8Array(8 + header.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  let at = 8 + header.length;
  for (const { data } of tensors.values()) {
    const { buffer, byteOffset, byteLength: length } = data as unknown as Bytes;
    file.set(new Uint8Array(buffer, byteOffset, length), at);
    at += length;
  }
  return file;
}

const damaged = (why: string) => new SardonyxError('INVALID_VALUE', `not a saved state: ${why}`);

/** Reads the tensors of a file. */
export function readSafetensors(file: Uint8Array): Map<string, TensorValue> {
  if (file.byteLength < 8) throw damaged(`${file.byteLength} bytes`);
  const length = Number(new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true));
  if (!(length <= file.byteLength - 8)) throw damaged(`a header of ${length} bytes`);
  const header = parsed(file.subarray(8, 8 + length));
  const data = file.subarray(8 + length);
  return new Map(Object.entries(header).map(([name, entry]) => [name, tensorOf(name, entry, data)]));
}

function parsed(bytes: Uint8Array): Record<string, Entry> {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw damaged((cause as Error).message);
  }
}

function tensorOf(name: string, { dtype, shape, data_offsets }: Entry, data: Uint8Array): TensorValue {
  const type = TYPES[dtype];
  const sizes = Array.isArray(shape) && shape.every((d) => Number.isSafeInteger(d) && d >= 0) ? shape : null;
  const [from, to] = Array.isArray(data_offsets) ? data_offsets : [0, -1];
  if (!type || !sizes || to > data.length || to - from !== byteLength(type, elementCount(sizes)))
    throw damaged(`"${name}" is ${dtype}[${shape}] at ${data_offsets} of ${data.length}`);
  const array = ELEMENTS[type].array as TypedArrayConstructor;
  return { type, dims: sizes, data: new array(data.slice(from, to).buffer as never) } as TensorValue;
}
