import { SardonyxError } from '../base/errors.js';
import { isA } from '../base/kind.js';
import { byteLength, ELEMENTS, type ElementType } from './element-types.js';
import { Tensor } from './tensor.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
const MAGIC = '\x93NUMPY';

const DTYPES: Partial<Record<ElementType, string>> = {
  bool: '|b1',
  int8: '|i1',
  uint8: '|u1',
  int16: '<i2',
  uint16: '<u2',
  int32: '<i4',
  uint32: '<u4',
  int64: '<i8',
  uint64: '<u8',
  float16: '<f2',
  float32: '<f4',
  float64: '<f8',
  complex64: '<c8',
  complex128: '<c16',
};

const NUMBERS = new Map(Object.entries(DTYPES).map(([type, dtype]) => [dtype.slice(1), type as ElementType]));

/** Advice for unsupported dtypes, by the letter of their kind. */
const ADVICE: Readonly<Record<string, string>> = {
  O: 'Python objects, pickled: save array.astype(str), or the type of its numbers',
  M: "dates: save array.astype('int64')",
  m: "durations: save array.astype('int64')",
  V: 'bytes of no known type, as bfloat16 is written: save array.astype(numpy.float32)',
  f: 'save array.astype(numpy.float64)',
  c: 'save array.astype(numpy.complex128)',
};

/** Bytes of a character in NumPy's `U` strings. */
const UTF32_BYTES = 4;

interface Dtype {
  readonly type: ElementType;
  /** Bytes of an element. */
  readonly size: number;
  /** Bytes of a part with its own byte order: half a complex number, a character. */
  readonly part: number;
  readonly isBigEndian: boolean;
}

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/**
 * Reads a .npy file, format versions 1 to 3: numbers and booleans of either byte order, and strings (`<U5`, `|S5`), with padding zeros
 * removed. Fortran order is converted to row-major order.
 * @throws SardonyxError INVALID_VALUE if the bytes are not a complete .npy file, or its dtype is unsupported
 */
export function readNpy(file: Uint8Array | ArrayBuffer): Tensor {
  const bytes = isA(file, 'Uint8Array') ? file : new Uint8Array(file);
  const { header, end } = headerOf(bytes);
  const { dtype, dims, fortran } = parseHeader(header);
  const { type, size, part, isBigEndian } = dtype;
  const length = elementCount(dims) * size;
  if (bytes.length - end !== length)
    throw invalid(`[${dims}] of ${type} takes ${length} bytes; ${bytes.length - end} follow`);
  const copy = new Uint8Array(bytes.subarray(end));
  const contents = fortran ? toRowMajor(copy, dims, size) : copy;
  if (isBigEndian) for (let at = 0; at < length; at += part) contents.subarray(at, at + part).reverse();
  const { array } = ELEMENTS[type];
  const data = array ? new array(contents.buffer) : stringsIn(contents, elementCount(dims), part);
  return new Tensor(type, data as never, dims);
}

export const hasNpyType = (type: ElementType): boolean => type === 'string' || type in DTYPES;

/**
 * Writes a tensor as a .npy file; strings as `<U`.
 * @throws SardonyxError INVALID_TYPE if NumPy has no such type: bfloat16, float8, and types of less than a byte
 */
export function writeNpy(tensor: TensorValue): Uint8Array {
  const { type, dims, data } = new Tensor(tensor.type, tensor.data as never, tensor.dims);
  const contents = type === 'string' ? stringBytes(data as readonly string[]) : (data as Float32Array);
  const dtype = type === 'string' ? `<U${contents.length / UTF32_BYTES / Math.max(1, data.length) || 1}` : DTYPES[type];
  if (!dtype) throw new SardonyxError('INVALID_TYPE', `.npy has no type for ${type}`);
  const shape = dims.length === 1 ? `${dims[0]},` : dims.join(', ');
  const header = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${shape}), }`;
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10;
  const prefix = `${MAGIC}\x01\x00${String.fromCharCode(length & 255, length >> 8)}${header.padEnd(length - 1)}\n`;
  const bytes = new Uint8Array(prefix.length + contents.byteLength);
  bytes.set(Uint8Array.from(prefix, (character) => character.charCodeAt(0)));
  bytes.set(new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength), prefix.length);
  return bytes;
}

function headerOf(bytes: Uint8Array) {
  if (bytes.length < 10 || latin1(bytes.subarray(0, 6)) !== MAGIC) throw invalid('these bytes are no .npy file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = (bytes[6] as number) >= 2;
  const start = wide ? 12 : 10;
  if (start > bytes.length) throw invalid('the header is cut short');
  const end = start + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  if (end > bytes.length) throw invalid('the header is cut short');
  return { header: latin1(bytes.subarray(start, end)), end };
}

function parseHeader(header: string): { dtype: Dtype; dims: number[]; fortran: boolean } {
  const descr = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  const fortran = /'fortran_order':\s*(True|False)/.exec(header)?.[1];
  const shape = /'shape':\s*\(([\d,\sL]*)\)/.exec(header)?.[1];
  if (/'descr':\s*\[/.test(header))
    throw invalid('records of several fields are no tensor: save every field by itself');
  if (descr === undefined || fortran === undefined || shape === undefined)
    throw invalid(`the header ${header.slice(0, 80).trim()} is not understood`);
  const dims = shape.split(',').flatMap((dim) => (dim.trim() === '' ? [] : [Number.parseInt(dim, 10)]));
  if (!Number.isSafeInteger(elementCount(dims) * 16)) throw invalid(`the shape (${shape}) is too large`);
  return { dtype: dtypeOf(descr), dims, fortran: fortran === 'True' };
}

/** https://numpy.org/doc/stable/reference/arrays.interface.html, `typestr` */
function dtypeOf(descr: string): Dtype {
  const [, order, kind = '', count = ''] = /^([<>=|])([a-zA-Z])(\d*)/.exec(descr) ?? [];
  const isBigEndian = order === '>';
  if (kind === 'U') return { type: 'string', size: UTF32_BYTES * Number(count), part: UTF32_BYTES, isBigEndian };
  if (kind === 'S' || kind === 'a') return { type: 'string', size: Number(count), part: 1, isBigEndian: false };
  const type = NUMBERS.get(kind + count);
  if (type) {
    const size = byteLength(type, 1);
    return { type, size, part: size / (ELEMENTS[type].entries ?? 1), isBigEndian };
  }
  const advice = ADVICE[kind] ?? `supported: ${Object.values(DTYPES).join(' ')} and strings`;
  throw invalid(`the dtype "${descr}" is not supported; ${advice}`);
}

/** Strings of characters of `part` bytes each, without the zeros at the end of an element. */
function stringsIn(bytes: Uint8Array<ArrayBuffer>, count: number, part: number): string[] {
  const characters = part === UTF32_BYTES ? new Uint32Array(bytes.buffer) : bytes;
  const width = characters.length / Math.max(1, count);
  return Array.from({ length: count }, (_, i) => {
    let end = (i + 1) * width;
    while (end > i * width && characters[end - 1] === 0) end--;
    return Array.from(characters.subarray(i * width, end), (code) => character(code)).join('');
  });
}

function character(code: number): string {
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  throw invalid(`a string has the character ${code}, which Unicode has not`);
}

/** Pads all strings to the length of the longest. */
function stringBytes(strings: readonly string[]): Uint8Array {
  const codes = strings.map((text) => Array.from(text, (c) => c.codePointAt(0) as number));
  const width = codes.reduce((most, each) => Math.max(most, each.length), 1);
  const characters = new Uint32Array(strings.length * width);
  codes.forEach((each, i) => {
    characters.set(each, i * width);
  });
  return new Uint8Array(characters.buffer);
}

function toRowMajor(bytes: Uint8Array<ArrayBuffer>, dims: readonly number[], size: number): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(bytes.length);
  const index = dims.map(() => 0);
  const strides = dims.map((_, axis) => elementCount(dims.slice(0, axis)) * size);
  let from = 0;
  for (let to = 0; to < bytes.length; to += size) {
    for (let b = 0; b < size; b++) target[to + b] = bytes[from + b] as number;
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      const [stride, dim] = [strides[axis] as number, dims[axis] as number];
      index[axis] = (index[axis] as number) + 1;
      from += stride;
      if ((index[axis] as number) < dim) break;
      index[axis] = 0;
      from -= stride * dim;
    }
  }
  return target;
}

const invalid = (message: string): SardonyxError => new SardonyxError('INVALID_VALUE', message);
