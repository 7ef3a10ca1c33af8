import { shown } from '../../base/shown.js';
import { allOf, type LeftFile, rangeOf } from '../../model/document/left-bytes.js';
import { byteLength, type ElementType } from '../../tensor/element-types.js';
import { parsed } from './json.js';
import { broken, type Listing, type StoredWeight, sizeIn } from './stored-weight.js';

/** https://huggingface.co/docs/safetensors */
export const DTYPES: Readonly<Record<string, ElementType>> = {
  BOOL: 'bool',
  F4: 'float4e2m1',
  U8: 'uint8',
  I8: 'int8',
  F8_E5M2: 'float8e5m2',
  F8_E4M3: 'float8e4m3fn',
  F8_E5M2FNUZ: 'float8e5m2fnuz',
  F8_E4M3FNUZ: 'float8e4m3fnuz',
  F8_E8M0: 'float8e8m0',
  I16: 'int16',
  U16: 'uint16',
  F16: 'float16',
  BF16: 'bfloat16',
  I32: 'int32',
  U32: 'uint32',
  F32: 'float32',
  C64: 'complex64',
  F64: 'float64',
  I64: 'int64',
  U64: 'uint64',
};

/** The number of bytes before the header, which contain its length. */
const PREFIX = 8;
/** The maximum header length of the format. */
const MOST_HEADER = 100_000_000;

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** Reads the header of a safetensors file. Checks that the tensors are contiguous and fill the file. */
export async function readSafetensors(file: LeftFile, name: string): Promise<Listing> {
  const begin = PREFIX + (await headerLength(file, name));
  const { __metadata__: metadata = {}, ...entries } = parsed<Record<string, Entry>>(
    await file.range(PREFIX, begin),
    name,
  );
  const tensors = Object.entries(entries).map(([tensor, entry]) => ({ tensor, ...checked(entry, tensor, name) }));
  let end = 0;
  for (const { tensor, from, to } of tensors.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from !== end)
      throw broken(name, `tensor "${tensor}" starts at byte ${from}; expected ${end}, the end of the tensor before it`);
    end = to;
  }
  if (begin + end !== file.size)
    throw broken(name, `the file has ${file.size - begin} bytes of tensors, but the header describes ${end}`);
  const weightOf = ({ form, type, dims, from, to }: (typeof tensors)[number]): StoredWeight => {
    const stored = rangeOf(file, begin + from, to - from);
    return {
      form,
      type,
      dims,
      read: async () => allOf(stored),
      data: stored,
      stored,
      place: { location: name, offset: begin + from },
    };
  };
  return {
    format: 'safetensors',
    metadata: metadata as unknown as Record<string, unknown>,
    tensors: new Map(tensors.map((found) => [found.tensor, weightOf(found)])),
  };
}

async function headerLength({ size, range }: LeftFile, name: string): Promise<number> {
  const start = await range(0, Math.min(PREFIX, size));
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  const length = size < PREFIX ? Number.NaN : Number(view.getBigUint64(0, true));
  if (length <= Math.min(MOST_HEADER, size - PREFIX)) return length;
  throw broken(name, `neither a safetensors nor a GGUF file (${size} bytes)`);
}

function checked(entry: Entry, tensor: string, name: string) {
  const { dtype, shape, data_offsets: offsets } = entry ?? {};
  const refuse = (complaint: string) => broken(name, `tensor "${tensor}": ${complaint}`);
  const isEntry = [shape, offsets].every((list) => Array.isArray(list) && list.every(isSize)) && offsets.length === 2;
  if (!isEntry) throw refuse('shape and data_offsets must be lists of non-negative integers');
  const type = Object.hasOwn(DTYPES, dtype) ? (DTYPES[dtype] as ElementType) : undefined;
  if (!type) throw refuse(`ONNX does not support the type ${shown(dtype)}`);
  const [from, to] = offsets;
  const wanted = byteLength(type, sizeIn(shape));
  if (to - from !== wanted) throw refuse(`${dtype}[${shape}] needs ${wanted} bytes, got ${to - from}`);
  return { form: dtype, type, dims: shape, from, to };
}

const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
