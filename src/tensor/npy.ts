import { SardonyxError } from '../errors.js';
import { byteLength, ELEMENTS, type ElementType } from './element-types.js';
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

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

export function readNpy(bytes: Uint8Array): TensorValue {
  if (bytes.length < 10 || latin1(bytes.subarray(0, 6)) !== MAGIC) throw invalid('these bytes are no .npy file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = (bytes[6] as number) >= 2;
  const start = wide ? 12 : 10;
  if (start > bytes.length) throw invalid('the header is cut short');
  const end = start + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  if (end > bytes.length) throw invalid('the header is cut short');
  const { type, dims, fortran } = parseHeader(latin1(bytes.subarray(start, end)));

  const length = byteLength(type, elementCount(dims));
  if (bytes.length - end !== length)
    throw invalid(`[${dims}] of ${type} takes ${length} bytes; ${bytes.length - end} follow`);
  const array = ELEMENTS[type].array ?? Uint8Array;
  const copy = new Uint8Array(bytes.subarray(end));
  const contents = fortran ? toRowMajor(copy, dims, ELEMENTS[type].bits / 8) : copy;
  return { type, dims, data: new array(contents.buffer) };
}

export const hasNpyType = (type: ElementType): boolean => type in DTYPES;

export function writeNpy({ type, dims, data }: TensorValue): Uint8Array {
  const dtype = DTYPES[type];
  if (!dtype || !ArrayBuffer.isView(data)) throw new SardonyxError('INVALID_TYPE', `.npy has no type for ${type}`);
  const shape = dims.length === 1 ? `${dims[0]},` : dims.join(', ');
  const header = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${shape}), }`;
  const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10;
  const prefix = `${MAGIC}\x01\x00${String.fromCharCode(length & 255, length >> 8)}${header.padEnd(length - 1)}\n`;
  const bytes = new Uint8Array(prefix.length + data.byteLength);
  bytes.set(Uint8Array.from(prefix, (character) => character.charCodeAt(0)));
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), prefix.length);
  return bytes;
}

function parseHeader(header: string): { type: ElementType; dims: number[]; fortran: boolean } {
  const dtype = /'descr':\s*'([^']*)'/.exec(header)?.[1];
  const fortran = /'fortran_order':\s*(True|False)/.exec(header)?.[1];
  const shape = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1];
  if (dtype === undefined || fortran === undefined || shape === undefined)
    throw invalid(`the header ${header.slice(0, 80).trim()} is not understood`);
  const known = Object.entries(DTYPES).find(
    ([, name]) => name === dtype.replace(/^[=<](.1)$/, '|$1').replace('=', '<'),
  );
  if (!known) throw invalid(`the dtype "${dtype}" is not supported; supported: ${Object.values(DTYPES).join(' ')}`);
  const dims = shape
    .split(',')
    .filter((dim) => dim.trim() !== '')
    .map(Number);
  if (!Number.isSafeInteger(elementCount(dims))) throw invalid(`the shape (${shape}) is too large`);
  return { type: known[0] as ElementType, dims, fortran: fortran === 'True' };
}

function toRowMajor(bytes: Uint8Array<ArrayBuffer>, dims: readonly number[], size: number): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(bytes.length);
  const index = dims.map(() => 0);
  const strides = dims.map((_, axis) => elementCount(dims.slice(0, axis)) * size);
  for (let to = 0; to < bytes.length; to += size) {
    const from = index.reduce((sum, i, axis) => sum + i * (strides[axis] as number), 0);
    target.set(bytes.subarray(from, from + size), to);
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      index[axis] = (index[axis] as number) + 1;
      if ((index[axis] as number) < (dims[axis] as number)) break;
      index[axis] = 0;
    }
  }
  return target;
}

const invalid = (message: string): SardonyxError => new SardonyxError('INVALID_VALUE', message);
