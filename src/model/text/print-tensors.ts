import type { StringStringEntryProto, TensorProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { allOf, LeftBytes, sizeOf } from '../document/left-bytes.js';
import { textOfBytes } from '../document/odd-strings.js';
import { type Int64, toBigInt } from '../int64.js';
import { formOf, fromRaw } from './elements.js';
import { ELEMENT_NAMES, quotable, quoted } from './names.js';
import { doubleText, floatText } from './numbers.js';
import { elementName } from './print-types.js';
import type { Style } from './style.js';

type Tensor = TensorProto.$Properties;

const EXTERNAL = 1;

/** ONNX's placeholder for omitted elements. */
const HIDDEN = '...';

/** `float[2] name {1,2}`; as a constant of a graph, `float[2] name = {1,2}`. */
export function printTensor(tensor: Tensor, style: Style, isConstant = false): string {
  const dims = tensor.dims?.length ? `[${tensor.dims.map((dim) => toBigInt(dim)).join(',')}]` : '';
  const needsName = style.lossless && isConstant;
  const name = tensor.name || needsName ? ` ${quotable(tensor.name ?? '')}` : '';
  const isExternal = tensor.dataLocation === EXTERNAL;
  const equals = isConstant || (style.lossless && isExternal) ? ' = ' : '';
  const data = isExternal ? printEntries(tensor.externalData ?? []) : printData(tensor, style);
  return `${elementName(tensor.dataType, style)}${dims}${name}${equals}${data}`;
}

export const printEntries = (entries: readonly StringStringEntryProto.$Properties[]): string =>
  `[${entries.map(({ key, value }) => `${quoted(key ?? '')}: ${quoted(value ?? '')}`).join(', ')}]`;

function printData(tensor: Tensor, style: Style): string {
  if (countOf(tensor) > style.limit) return ` {${HIDDEN}}`;
  if (Object.hasOwn(tensor, 'rawData')) return printRaw(tensor, style);
  const typed = TYPED[ELEMENT_NAMES[tensor.dataType ?? 0] ?? 'none'];
  if (typed === strings) return strings(tensor);
  const isPrinted = typed && (style.lossless || formOf(tensor.dataType));
  return isPrinted ? ` {${typed(tensor)}}` : style.lossless ? ' {}' : HIDDEN;
}

const countOf = ({ dims }: Tensor): number =>
  (dims ?? []).reduce<number>((count, dim) => count * Number(toBigInt(dim)), 1);

const integers = (values: readonly Int64[] | null | undefined): string =>
  (values ?? []).map((v) => toBigInt(v)).join(',');
const int32s = ({ int32Data }: Tensor) => (int32Data ?? []).join(',');
const floats = ({ floatData }: Tensor) => (floatData ?? []).map(floatText).join(',');
const doubles = ({ doubleData }: Tensor) => (doubleData ?? []).map(doubleText).join(',');
const uint64s = ({ uint64Data }: Tensor) => (uint64Data ?? []).map((v) => BigInt.asUintN(64, toBigInt(v))).join(',');
const strings = ({ stringData }: Tensor) => `{${(stringData ?? []).map((s) => quoted(textOfBytes(s))).join(', ')}}`;

const INT32S = ELEMENT_NAMES.filter((name) => /^(u?int(2|4)|float4e2m1)$/.test(name ?? '') || isInt32(name));

function isInt32(name: string | undefined): boolean {
  return formOf(ELEMENT_NAMES.indexOf(name))?.field === 'int32Data';
}

/** Printers of elements in typed fields; float16 and narrower floats are printed as their bits. */
const TYPED: Readonly<Record<string, (tensor: Tensor) => string>> = {
  ...Object.fromEntries(INT32S.map((name) => [name, int32s])),
  ...{ float: floats, complex64: floats, double: doubles, complex128: doubles, string: strings },
  ...{ int64: ({ int64Data }) => integers(int64Data), uint32: uint64s, uint64: uint64s },
};

function printRaw(tensor: Tensor, { lossless }: Style): string {
  const form = formOf(tensor.dataType);
  if (!form) return lossless ? ' {}' : HIDDEN;
  const raw = bytesNow(tensor.rawData as Uint8Array, tensor.name);
  const isWhole = raw.length === countOf(tensor) * form.bytes;
  if (!isWhole && !lossless)
    throw new SardonyxError(
      'INVALID_VALUE',
      `Data size mismatch: ${raw.length} bytes of raw_data for ${countOf(tensor)} elements of ${form.bytes} bytes`,
      { value: tensor.name ?? '' },
    );
  if (raw.length % form.bytes) return ' {}';
  const values = fromRaw(form, raw);
  const text = form.view === 'Float32' ? floatText : form.view === 'Float64' ? doubleText : String;
  return ` {${values.map((value) => text(value as number)).join(',')}}`;
}

/** The bytes, if they can be read synchronously. */
export function bytesNow(bytes: Uint8Array, name?: string | null): Uint8Array {
  const found = allOf(bytes);
  if (found instanceof Uint8Array) return found;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `its ${sizeOf(bytes)} bytes can only be read asynchronously: load the model from its bytes, or leave large tensors out (limit)`,
    { value: name ?? '' },
  );
}

/** The tensor with its raw data in memory. */
export const present = (tensor: Tensor): Tensor =>
  tensor.rawData instanceof LeftBytes ? { ...tensor, rawData: bytesNow(tensor.rawData, tensor.name) } : tensor;
