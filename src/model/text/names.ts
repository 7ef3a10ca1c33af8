import { AttributeProto } from '../../../build/onnx.js';

/** Names of element types in ONNX's text format, by their numbers in TensorProto.DataType. */
export const ELEMENT_NAMES: readonly (string | undefined)[] = [
  ...[undefined, 'float', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16', 'double'],
  ...['uint32', 'uint64', 'complex64', 'complex128', 'bfloat16', 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2'],
  ...['float8e5m2fnuz', 'uint4', 'int4', 'float4e2m1', 'float8e8m0', 'uint2', 'int2'],
];

const ELEMENT_NUMBERS = new Map(ELEMENT_NAMES.map((name, number) => [name, number]));

/** The number of an element type; 0 for other names. */
export const elementNumber = (name: string): number => ELEMENT_NUMBERS.get(name || 'none') ?? 0;

const CONTAINERS: ReadonlySet<string> = new Set(['seq', 'map', 'optional', 'sparse_tensor', 'opaque']);

export const isTypeName = (name: string): boolean => elementNumber(name) > 0 || CONTAINERS.has(name);

/** Names of attribute types in ONNX's text format: `floats`, `type_proto`. */
const ATTRIBUTE_TYPES = Object.entries(AttributeProto.AttributeType)
  .filter(([, number]) => typeof number === 'number')
  .map(([name, number]): [string, number] => [name.toLowerCase(), number as number]);

const ATTRIBUTE_NUMBERS = new Map(ATTRIBUTE_TYPES.filter(([, number]) => number > 0));
const ATTRIBUTE_NAMES = new Map(ATTRIBUTE_TYPES.map(([name, number]) => [number, name]));

/** The number of an attribute type; 0 for other names. */
export const attributeTypeNumber = (name: string): number => ATTRIBUTE_NUMBERS.get(name) ?? 0;

export const attributeTypeName = (type: number): string => ATTRIBUTE_NAMES.get(type) ?? 'undefined';

export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** A name, in quotes unless it is an identifier. */
export const quotable = (name: string): string => (isIdentifier(name) ? name : quoted(name));

/** Escapes quotes and backslashes by a backslash; there are no other escapes. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
