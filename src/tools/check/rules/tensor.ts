import type { TensorProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { type Int64, toBigInt, toNumber } from '../../../model/int64.js';
import { OWN_FILE } from '../../../model/skeleton.js';
import { byteLength, ELEMENTS, type ElementType, elementTypeOf, rangeOf } from '../../../tensor/element-types.js';
import { at, type Context, error, fieldName, has, type Rule, warning } from '../context.js';
import { metadata, since, uniqueKeys } from './metadata.js';

type DataField = 'floatData' | 'int32Data' | 'stringData' | 'int64Data' | 'rawData' | 'doubleData' | 'uint64Data';

const DATA_FIELDS: readonly DataField[] = [
  'floatData',
  'int32Data',
  'stringData',
  'int64Data',
  'rawData',
  'doubleData',
  'uint64Data',
];

/** Where elements are that are not in raw_data; those of all other types are in int32_data. */
const TYPED_FIELDS: Partial<Record<ElementType, DataField>> = {
  float32: 'floatData',
  complex64: 'floatData',
  float64: 'doubleData',
  complex128: 'doubleData',
  int64: 'int64Data',
  uint32: 'uint64Data',
  uint64: 'uint64Data',
  string: 'stringData',
};

/** The IR version that element types came with; all others are of the first. */
const TYPES_SINCE: Partial<Record<ElementType, number>> = {
  bfloat16: 4,
  float8e4m3fn: 9,
  float8e4m3fnuz: 9,
  float8e5m2: 9,
  float8e5m2fnuz: 9,
  uint4: 10,
  int4: 10,
  float4e2m1: 11,
  float8e8m0: 12,
  uint2: 13,
  int2: 13,
};

/** An element type by its number, which must be one. */
export function knownElement(code: number, c: Context, value?: string): ElementType | undefined {
  const element = elementTypeOf(code);
  if (!element) {
    const known = code === 0 ? 'is UNDEFINED' : `is ${code}, which is no element type`;
    error(c, 'TYPE', `the type ${known}`, { value, hint: 'TensorProto.DataType has 1 (float) to 26 (int2)' });
  } else if (TYPES_SINCE[element]) since(TYPES_SINCE[element], element, c);
  return element;
}

/** Elements of such dims; a bigint, as a few bytes can claim more than 2⁵³. */
export const countOf = (dims: readonly Int64[]): bigint => dims.reduce((n, d) => n * toBigInt(d), 1n);

const MAX_COUNT = 2n ** 63n - 1n;

export const TENSOR_RULES: readonly Rule<TensorProto>[] = [
  type,
  dims,
  noSegment,
  oneDataField,
  data,
  external,
  metadata,
];

function type({ dataType, name }: TensorProto, c: Context): void {
  knownElement(dataType, at(c, 'data_type'), name);
}

function dims({ dims, name }: TensorProto, c: Context): void {
  const negative = dims.findIndex((dim) => toNumber(dim) < 0);
  if (negative >= 0)
    error(at(c, 'dims', negative), 'SHAPE', `the size ${toBigInt(dims[negative] as Int64)} is negative`, {
      value: name,
    });
  else if (countOf(dims) > MAX_COUNT)
    error(at(c, 'dims'), 'SHAPE', `[${dims.map(toBigInt)}] has more than 2⁶³ − 1 elements`, { value: name });
}

function noSegment(tensor: TensorProto, c: Context): void {
  if (has(tensor, 'segment'))
    error(at(c, 'segment'), 'TENSOR_DATA', 'segments are in the format, but no version of ONNX has defined them', {
      value: tensor.name,
    });
}

const isExternal = ({ dataLocation }: TensorProto): boolean => dataLocation === 1;

const given = (tensor: TensorProto): DataField[] =>
  DATA_FIELDS.filter((field) => (tensor[field] as ArrayLike<unknown> | undefined)?.length);

/** The shape as far as it makes sense: how many elements there must be. */
function elementsOf({ dims }: TensorProto): number | undefined {
  const count = countOf(dims);
  return dims.some((dim) => toNumber(dim) < 0) || count > MAX_COUNT ? undefined : Number(count);
}

function oneDataField(tensor: TensorProto, c: Context): void {
  const fields = given(tensor);
  const names = fields.map(fieldName).join(' and ');
  const say = (message: string, hint: string) => error(c, 'TENSOR_DATA', message, { value: tensor.name, hint });
  const count = elementsOf(tensor);
  if (isExternal(tensor)) {
    if (fields.length > 0) say(`its data are in an external file, and in ${names}`, 'clear one of them');
  } else if (count === 0) {
    if (fields.length > 0) say(`[${tensor.dims.map(toBigInt)}] has no elements, but ${names} has data`, 'clear it');
  } else if (fields.length > 1) say(`its data are in ${names}`, 'fill one of them');
  else if (fields.length === 0 && count !== undefined)
    say(`it has no data for the ${count} elements of its shape`, 'fill raw_data');
}

function data(tensor: TensorProto, c: Context): void {
  const element = elementTypeOf(tensor.dataType);
  const count = elementsOf(tensor);
  const [field, ...others] = given(tensor);
  if (!element || !count || !field || others.length > 0 || isExternal(tensor)) return;
  const place = at(c, fieldName(field));
  const { name } = tensor;
  if (field === 'rawData' && element === 'string') {
    error(place, 'TENSOR_DATA', 'strings stand in string_data, not in raw_data', { value: name });
    return;
  }
  const typed = TYPED_FIELDS[element] ?? 'int32Data';
  if (field !== 'rawData' && field !== typed) {
    const message = `${element} stands in ${fieldName(typed)} or raw_data, not in ${fieldName(field)}`;
    error(place, 'TENSOR_DATA', message, { value: name });
    return;
  }
  const [wanted, unit] =
    field === 'rawData' ? [byteLength(element, count), 'bytes'] : [entries(element, count), 'entries'];
  const { length } = tensor[field] as ArrayLike<unknown>;
  if (length !== wanted) {
    const shape = `${element}[${tensor.dims.map(toBigInt)}]`;
    error(place, 'TENSOR_DATA', `${shape} takes ${wanted} ${unit}, not ${length}`, { value: name });
  } else if (field === 'int32Data') inRange(tensor, element, place);
}

/** Entries of the typed field that elements take; those below a byte are packed as in raw_data, four bytes an entry. */
function entries(element: ElementType, count: number): number {
  const { bits, entries: each = 1 } = ELEMENTS[element];
  return bits > 0 && bits < 8 ? Math.ceil((count * bits) / 32) : count * each;
}

function inRange({ int32Data, name }: TensorProto, element: ElementType, c: Context): void {
  const { bits } = ELEMENTS[element];
  if (bits < 8 || bits > 16) return;
  const isInteger = element.includes('int');
  const [least, most] = element === 'bool' ? [0, 1] : isInteger ? rangeOf(element) : [0, 2 ** bits - 1];
  const at = int32Data.findIndex((value) => value < least || value > most);
  if (at >= 0)
    warning(c, 'TENSOR_DATA', `entry ${at} is ${int32Data[at]}; ${element} has ${least} to ${most}`, { value: name });
}

/** https://onnx.ai/onnx/repo-docs/ExternalData.html */
const EXTERNAL_KEYS = ['location', 'offset', 'length', 'checksum', 'basepath'];

function external(tensor: TensorProto, c: Context): void {
  const { externalData, dataLocation, name } = tensor;
  uniqueKeys(externalData, 'external_data', c);
  if (dataLocation !== 0 && dataLocation !== 1)
    error(at(c, 'data_location'), 'EXTERNAL_DATA', `${dataLocation} is no place for data`, { value: name });
  if (!isExternal(tensor)) return;
  const place = at(c, 'external_data');
  const say = (message: string, hint?: string) =>
    error(place, 'EXTERNAL_DATA', message, { value: name, ...(hint && { hint }) });
  const entries = new Map(externalData.map(({ key, value }) => [key, value]));
  for (const key of entries.keys())
    if (!EXTERNAL_KEYS.includes(key))
      warning(place, 'EXTERNAL_DATA', `"${key}" is no key of external data`, { value: name });
  const location = entries.get('location');
  if (!location) say('the location of its data is missing');
  else if (isOutside(location))
    say(`the location "${location}" leaves the folder of the model`, 'name a file beside the model');
  const offset = bytesIn(entries.get('offset') ?? '0');
  const length = lengthOf(tensor);
  const stated = entries.has('length') ? bytesIn(entries.get('length') ?? '') : length;
  for (const key of ['offset', 'length'])
    if (entries.has(key) && bytesIn(entries.get(key) ?? '') === undefined)
      say(`the ${key} "${entries.get(key)}" is no number of bytes`);
  if (length !== undefined && stated !== undefined && stated !== length)
    say(`it has ${stated} bytes; its type and shape take ${length}`);
  else if (location && !isOutside(location) && offset !== undefined && length !== undefined)
    findable(() => c.externalData?.(location, offset, length), say);
}

/** What was left in the model's own file is beside nothing. */
const isOutside = (location: string): boolean =>
  location !== OWN_FILE &&
  (/^([/\\]|[a-z]:)/i.test(location) || location.split(/[/\\]/).includes('..') || location.includes('\0'));

const bytesIn = (text: string): number | undefined =>
  /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;

function lengthOf(tensor: TensorProto): number | undefined {
  const element = elementTypeOf(tensor.dataType);
  const count = elementsOf(tensor);
  return element && count !== undefined ? byteLength(element, count) : undefined;
}

function findable(find: () => unknown, say: (message: string) => void): void {
  try {
    find();
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
    say(thrown.complaint);
  }
}
