import type { TensorProto } from '../../../../build/onnx.js';
import { type Int64, toBigInt, toNumber } from '../../../model/int64.js';
import { byteLength, ELEMENTS, type ElementType, elementTypeOf, rangeOf } from '../../../tensor/element-types.js';
import { at, type Context, error, fieldName, has, type Rule, warning } from '../context.js';
import { countOf, elementsOf, isExternal, knownElement, MAX_COUNT } from './extent.js';
import { EXTERNAL_DATA_RULES } from './external-data.js';
import { metadata } from './metadata.js';

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

/** The field of each type's elements outside raw_data. All other types use int32_data. */
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

export const TENSOR_RULES: readonly Rule<TensorProto>[] = [
  type,
  dims,
  noSegment,
  oneDataField,
  data,
  ...EXTERNAL_DATA_RULES,
  metadata,
];

function type({ dataType, name }: TensorProto, c: Context): void {
  knownElement(dataType, at(c, 'data_type'), name);
}

function dims({ dims, name }: TensorProto, c: Context): void {
  const negative = dims.findIndex((dim) => toNumber(dim) < 0);
  if (negative >= 0)
    error(at(c, 'dims', negative), 'SHAPE', `the dimension ${toBigInt(dims[negative] as Int64)} is negative`, {
      value: name,
    });
  else if (countOf(dims) > MAX_COUNT)
    error(at(c, 'dims'), 'SHAPE', `the shape [${dims.map(toBigInt)}] has more than 2⁶³ − 1 elements`, { value: name });
}

function noSegment(tensor: TensorProto, c: Context): void {
  if (has(tensor, 'segment'))
    error(at(c, 'segment'), 'TENSOR_DATA', 'segments are not supported by any version of ONNX', {
      value: tensor.name,
    });
}

const given = (tensor: TensorProto): DataField[] =>
  DATA_FIELDS.filter((field) => (tensor[field] as ArrayLike<unknown> | undefined)?.length);

function oneDataField(tensor: TensorProto, c: Context): void {
  const fields = given(tensor);
  const names = fields.map(fieldName).join(' and ');
  const say = (message: string, hint: string) => error(c, 'TENSOR_DATA', message, { value: tensor.name, hint });
  const count = elementsOf(tensor);
  if (isExternal(tensor)) {
    if (fields.length > 0) say(`the tensor has external data and data in ${names}`, 'clear one of them');
  } else if (count === 0) {
    if (fields.length > 0)
      say(`the shape [${tensor.dims.map(toBigInt)}] has no elements, but there is data in ${names}`, `clear ${names}`);
  } else if (fields.length > 1) say(`the tensor has data in ${names}`, 'set only one of these fields');
  else if (fields.length === 0 && count !== undefined)
    say(`the tensor has no data for the ${count} elements of its shape`, 'set raw_data');
}

/** Checks that the data is in the right field for the type, and that its length matches the shape. */
function data(tensor: TensorProto, c: Context): void {
  const element = elementTypeOf(tensor.dataType);
  const count = elementsOf(tensor);
  const [field, ...others] = given(tensor);
  if (!element || !count || !field || others.length > 0 || isExternal(tensor)) return;
  const place = at(c, fieldName(field));
  const wrong = wrongField(element, field) ?? wrongLength(tensor, element, field, count);
  if (wrong) error(place, 'TENSOR_DATA', wrong, { value: tensor.name });
  else if (field === 'int32Data') inRange(tensor, element, place);
}

function wrongField(element: ElementType, field: DataField): string | undefined {
  const typed = TYPED_FIELDS[element] ?? 'int32Data';
  if (field === typed || (field === 'rawData' && element !== 'string')) return undefined;
  const right = element === 'string' ? 'string_data' : `${fieldName(typed)} or raw_data`;
  return `${element} data must be in ${right}, not in ${fieldName(field)}`;
}

function wrongLength(tensor: TensorProto, element: ElementType, field: DataField, count: number): string | undefined {
  const isRaw = field === 'rawData';
  const wanted = isRaw ? byteLength(element, count) : entries(element, count);
  const { length } = tensor[field] as ArrayLike<unknown>;
  if (length === wanted) return undefined;
  return `${element}[${tensor.dims.map(toBigInt)}] needs ${wanted} ${isRaw ? 'bytes' : 'entries'}, got ${length}`;
}

/** The number of entries of the typed field. For types smaller than a byte, each entry is a byte of raw_data. */
function entries(element: ElementType, count: number): number {
  const { bits, entries: each = 1 } = ELEMENTS[element];
  return bits > 0 && bits < 8 ? Math.ceil((count * bits) / 8) : count * each;
}

function inRange({ int32Data, name }: TensorProto, element: ElementType, c: Context): void {
  const { bits } = ELEMENTS[element];
  if (bits < 8 || bits > 16) return;
  const isInteger = element.includes('int');
  const [least, most] = element === 'bool' ? [0, 1] : isInteger ? rangeOf(element) : [0, 2 ** bits - 1];
  const at = int32Data.findIndex((value) => value < least || value > most);
  if (at >= 0)
    warning(c, 'TENSOR_DATA', `entry ${at} is ${int32Data[at]}, outside the range of ${element}, ${least} to ${most}`, {
      value: name,
    });
}
