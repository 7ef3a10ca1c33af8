import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attribute } from '../../src/graph/graph.js';
import { tensorType, type ValueType } from '../../src/graph/types.js';
import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';

/** One version of one operator, as ONNX itself declares it. */
export interface Schema {
  readonly domain: string;
  readonly op: string;
  readonly since: number;
  readonly attributes: readonly { readonly name: string; readonly type: string; readonly required?: boolean }[];
  readonly inputs: readonly SchemaParameter[];
  readonly outputs: readonly SchemaParameter[];
  /** Least and greatest number of inputs; null: any number. */
  readonly arity: readonly [number, number | null];
  readonly types: Readonly<Record<string, readonly string[]>>;
}

export interface SchemaParameter {
  readonly name: string;
  /** A type variable of `types`, or a type. */
  readonly type: string;
  readonly optional?: boolean;
  readonly variadic?: boolean;
  /** Nothing is said of what could be differentiated by it. */
  readonly 'non-differentiable'?: boolean;
}

/** The types that each type variable of one node stands for. */
export type Types = Readonly<Record<string, string>>;

export function readSchemas(folder: string): Schema[] {
  const { schemas } = JSON.parse(readFileSync(join(folder, 'schemas.json'), 'utf8')) as { schemas: Schema[] };
  return schemas.map((schema) => ({ ...schema, types: mapValues(schema.types, joinMaps) }));
}

/** The file splits types at every comma, those of maps too. */
const joinMaps = (types: readonly string[]): string[] =>
  types
    .join(',')
    .split(/,(?=tensor|seq|optional|map)(?![^(]*\))/)
    .filter((type) => type !== '');

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]));

const RENAMED: Readonly<Record<string, ElementType>> = { float: 'float32', double: 'float64' };

/** The type that `tensor(float)`, `seq(tensor(int64))`, `map(string,float)` and the like say. */
export function parseType(text: string): ValueType {
  const [, kind, inner = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  if (kind === 'tensor') return tensorType(parseElement(inner));
  if (kind === 'seq') return { kind: 'sequence', of: parseType(inner) };
  if (kind === 'optional') return { kind: 'optional', of: parseType(inner) };
  if (kind !== 'map') throw new Error(`no type: ${text}`);
  const [key = '', value = ''] = inner.split(',');
  return { kind: 'map', key: parseElement(key), value: tensorType(parseElement(value), []) };
}

function parseElement(name: string): ElementType {
  const trimmed = name.trim();
  const element = RENAMED[trimmed] ?? trimmed;
  if (element in ELEMENTS) return element as ElementType;
  throw new Error(`no element type: ${name}`);
}

/** The innermost element type of a type. */
export function elementOf(type: string): ElementType {
  let found = parseType(type);
  while (found.kind === 'sequence' || found.kind === 'optional') found = found.of;
  return found.kind === 'map' ? elementIn(found.value) : elementIn(found);
}

const elementIn = (type: ValueType): ElementType => (type as { element: ElementType }).element;

/** `list of ints` and so on as the kinds that attributes have. */
export const attributeKind = (type: string): Attribute['type'] =>
  type.replace(/^list of /, '').replace(/^type_proto$/, 'type') as Attribute['type'];
