import { AttributeProto } from '../../../../build/onnx.js';
import { fromInteger } from '../../../../src/model/int64.js';
import type { WrittenAttribute, WrittenKind } from '../contracts/changes.js';
import { bytesOf } from './lines.js';
import { typeOf } from './read-type.js';

const listed = (text: string): string[] => (text.trim() === '' ? [] : text.split(',').map((item) => item.trim()));
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** @throws Error if the text is not a 64-bit integer */
export function integer(text: string): bigint {
  if (!/^[-+]?\d+$/.test(text.trim())) throw new Error(`"${text}" is not an integer`);
  const exact = BigInt(text.trim().replace('+', ''));
  if (BigInt.asIntN(64, exact) !== exact) throw new Error(`"${text}" does not fit in 64 bits`);
  return exact;
}

const FLOATS: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
};

/** @throws Error if the text is not a number */
export function float(text: string): number {
  const known = FLOATS[text.trim().toLowerCase().replace('infinity', 'inf')];
  const value = known ?? (text.trim() === '' ? Number.NaN : Number(text));
  if (known === undefined && Number.isNaN(value)) throw new Error(`"${text}" is not a number`);
  return value;
}

const { AttributeType } = AttributeProto;
type Fields = AttributeProto.$Properties;

/** Converts text to attribute fields, by kind. */
const FIELDS: Readonly<Record<Exclude<WrittenKind, 'reference'>, (text: string) => Fields>> = {
  int: (text) => ({ type: AttributeType.INT, i: fromInteger(integer(text)) }),
  float: (text) => ({ type: AttributeType.FLOAT, f: float(text) }),
  string: (text) => ({ type: AttributeType.STRING, s: bytesOf(text) }),
  ints: (text) => ({ type: AttributeType.INTS, ints: listed(text).map((item) => fromInteger(integer(item))) }),
  floats: (text) => ({ type: AttributeType.FLOATS, floats: listed(text).map(float) }),
  strings: (text) => ({ type: AttributeType.STRINGS, strings: lines(text).map(bytesOf) }),
  type_proto: (text) => ({ type: AttributeType.TYPE_PROTO, tp: typeOf(text) }),
  type_protos: (text) => ({ type: AttributeType.TYPE_PROTOS, typeProtos: lines(text).map(typeOf) }),
};

/** The attribute for a written value; keeps the former documentation. */
export function attributeOf(name: string, { kind, text }: WrittenAttribute, former?: AttributeProto): AttributeProto {
  const docString = former?.docString;
  const about = { name, ...(docString && { docString }) };
  if (kind !== 'reference') return new AttributeProto({ ...about, ...FIELDS[kind](text) });
  if (text.trim() === '') throw new Error('enter the name of an attribute of the function');
  return new AttributeProto({ ...about, type: former?.type ?? AttributeType.UNDEFINED, refAttrName: text.trim() });
}
