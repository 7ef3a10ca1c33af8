import { AttributeProto, type GraphProto } from '../../../build/onnx.js';
import { bytesOfText } from '../document/odd-strings.js';
import { fromInteger, type Int64, toNumber } from '../int64.js';
import { attributeTypeName, attributeTypeNumber } from './names.js';
import { parseTensor } from './parse-tensors.js';
import { isTypeNext, parseType } from './parse-types.js';
import { INT64, isInteger, numberOf, type Scanner } from './scanner.js';

type Attribute = AttributeProto.$Properties;

/** Parses a graph; passed as an argument, because graphs contain nodes, and these attributes. */
export type ParseGraph = (scanner: Scanner) => GraphProto.$Properties;

const TYPES = AttributeProto.AttributeType;
const { UNDEFINED, FLOAT, INT, STRING, TENSOR, GRAPH, TYPE_PROTO, SPARSE_TENSOR } = TYPES;

/** The fields of an attribute for one value of a type and for several, and the list's type. */
const KINDS = [
  { type: FLOAT, one: 'f', many: 'floats', list: TYPES.FLOATS },
  { type: INT, one: 'i', many: 'ints', list: TYPES.INTS },
  { type: STRING, one: 's', many: 'strings', list: TYPES.STRINGS },
  { type: TENSOR, one: 't', many: 'tensors', list: TYPES.TENSORS },
  { type: GRAPH, one: 'g', many: 'graphs', list: TYPES.GRAPHS },
  { type: TYPE_PROTO, one: 'tp', many: 'typeProtos', list: TYPES.TYPE_PROTOS },
  { type: SPARSE_TENSOR, one: 'sparseTensor', many: 'sparseTensors', list: TYPES.SPARSE_TENSORS },
] as const;

const kindOf = (type: number) => KINDS.find((kind) => kind.type === type || kind.list === type);

/** Parses an attribute after its name: `: type = value`, where the type is optional. */
export function parseAttribute(scanner: Scanner, name: string, graph: ParseGraph): Attribute {
  const declared = scanner.takes(':') ? declaredType(scanner) : UNDEFINED;
  scanner.expect('=', `after the attribute ${name}`);
  if (scanner.takes('@')) return reference(scanner, name, declared);
  const value = scanner.takes('[') ? parseList(scanner, declared, graph) : parseValue(scanner, declared, graph);
  return { name, ...value };
}

function declaredType(scanner: Scanner): number {
  const type = attributeTypeNumber(scanner.peekIdentifier());
  if (type === UNDEFINED) throw scanner.refusal('the type of an attribute: float, ints, tensor …');
  scanner.optionalIdentifier();
  return type;
}

function reference(scanner: Scanner, name: string, declared: number): Attribute {
  const refAttrName = scanner.name('the name of an attribute of the function');
  return { name, refAttrName, ...(declared !== UNDEFINED && { type: declared }) };
}

function parseList(scanner: Scanner, declared: number, graph: ParseGraph): Attribute {
  if (scanner.takes(']')) {
    if (kindOf(declared)?.list === declared) return { type: declared };
    throw scanner.refusal('the type of an empty list, as in a: ints = []');
  }
  const values: Attribute[] = [];
  do values.push(parseValue(scanner, kindOf(declared)?.type ?? UNDEFINED, graph));
  while (scanner.takes(','));
  scanner.expect(']', 'after the values');
  return joined(scanner, values);
}

/** Joins values to a list; integers among floats become floats. */
function joined(scanner: Scanner, values: readonly Attribute[]): Attribute {
  const hasFloats = values.some(({ type }) => type === FLOAT);
  const same = hasFloats ? values.map(asFloat) : values;
  const kind = kindOf(same[0]?.type ?? UNDEFINED);
  if (!kind || same.some(({ type }) => type !== kind.type)) throw scanner.refusal('values of one type before this');
  return { type: kind.list, [kind.many]: same.map((value) => value[kind.one]) };
}

const asFloat = (value: Attribute): Attribute =>
  value.type === INT ? { type: FLOAT, f: toNumber(value.i as Int64) } : value;

/** Parses one value, of the declared type if there is one. */
function parseValue(scanner: Scanner, declared: number, graph: ParseGraph): Attribute {
  scanner.skip();
  const { at } = scanner;
  const value = declared === GRAPH ? { type: GRAPH, g: graph(scanner) } : anyValue(scanner, declared, graph);
  if (declared === UNDEFINED || value.type === declared) return value;
  throw scanner.refusal(`a value of the type ${attributeTypeName(declared)}`, at);
}

function anyValue(scanner: Scanner, declared: number, graph: ParseGraph): Attribute {
  if (scanner.peek() === '"') return { type: STRING, s: bytesOfText(scanner.string('a string')) };
  if (isTypeNext(scanner)) return tensorOrType(scanner);
  const { at } = scanner;
  const literal = scanner.optionalNumber();
  if (literal === undefined && scanner.peekIdentifier()) return { type: GRAPH, g: graph(scanner) };
  if (literal === undefined) throw scanner.refusal('a value');
  scanner.at = at;
  return isInteger(literal) && declared !== FLOAT
    ? { type: INT, i: fromInteger(scanner.integer('an integer', INT64)) }
    : { type: FLOAT, f: float(scanner, literal) };
}

/** Parses a float; numbers beyond the range of float32 are errors. */
function float(scanner: Scanner, literal: string): number {
  const { at } = scanner;
  const value = scanner.number('a number');
  if (!Number.isFinite(Math.fround(value)) && Number.isFinite(numberOf(literal)))
    throw scanner.refusal('a number in the range of float', at);
  return value;
}

/** Parses a type, or a tensor, which starts with one. */
function tensorOrType(scanner: Scanner): Attribute {
  const { at } = scanner;
  const type = parseType(scanner);
  const isTensor = /["{=]/.test(scanner.peek()) || scanner.peekIdentifier() !== '';
  if (!isTensor) return { type: TYPE_PROTO, tp: type };
  const name = scanner.optionalName() ?? '';
  scanner.takes('=');
  const tensor = parseTensor(scanner, type, at);
  return { type: TENSOR, t: scanner.isLossless && !name ? tensor : { name, ...tensor } };
}
