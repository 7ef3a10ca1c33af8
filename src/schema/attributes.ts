import { SardonyxError } from '../base/errors.js';
import type { Expression } from '../graph/expression.js';
import type { Attribute, Graph, Node, SparseTensor } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** Declaration of an attribute: its ONNX type and default. */
export interface AttributeSpec<T> {
  readonly type: Attribute['type'];
  readonly fallback: T;
  readonly required: boolean;
  /** The allowed strings; any if absent. */
  readonly words?: readonly string[];
}

export type AttributeSpecs = Readonly<Record<string, AttributeSpec<unknown>>>;

export type AttributeValues<S extends AttributeSpecs> = {
  readonly [K in keyof S]: S[K] extends AttributeSpec<infer T> ? T : never;
};

type Declare<T> = {
  (): AttributeSpec<T | undefined>;
  (fallback: T): AttributeSpec<T>;
  required: AttributeSpec<T>;
};

function declare<T>(type: Attribute['type']): Declare<T> {
  const optional = (fallback?: T) => ({ type, fallback, required: false });
  return Object.assign(optional, { required: { type, fallback: undefined as T, required: true } }) as Declare<T>;
}

export const int = declare<number>('int');
export const ints = declare<readonly number[]>('ints');
const anyFloat = declare<number>('float');
/** Rounds defaults to float32, as in a file. */
export const float: Declare<number> = Object.assign(
  (fallback?: number) => anyFloat(fallback === undefined ? (undefined as never) : Math.fround(fallback)),
  { required: anyFloat.required },
) as Declare<number>;
export const floats = declare<readonly number[]>('floats');
export const string = declare<string>('string');
/** One of these words; the first is the default. */
export const oneOf = (...words: readonly [string, ...string[]]): AttributeSpec<string> => ({
  type: 'string',
  fallback: words[0],
  required: false,
  words,
});
export const strings = declare<readonly string[]>('strings');
export const tensor = declare<TensorValue>('tensor');
export const sparse = declare<SparseTensor>('sparse');
export const graph = declare<Graph>('graph');
export const expression = declare<Expression>('expression');
export const type = declare<ValueType>('type');

/** Looks up a key from a file, which may equal a property of all objects, such as "constructor". */
export const entryOf = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;

/** Reads the attributes of `node` as `specs` declares them. Throws an error for unknown, missing or mistyped ones. */
export function readAttributes(node: Node, specs: AttributeSpecs): Record<string, unknown> {
  const fail = (message: string) =>
    new SardonyxError('INVALID_ATTRIBUTE', message, { node: node.name, operator: node.op });
  for (const name in node.attributes) {
    if (!(name in specs)) throw fail(`has no attribute "${name}"; it takes ${Object.keys(specs).join(', ') || 'none'}`);
  }
  const values: Record<string, unknown> = {};
  for (const name in specs) {
    const spec = specs[name] as AttributeSpec<unknown>;
    const given = node.attributes[name];
    if (given === undefined && spec.required) throw fail(`needs the attribute "${name}" (${spec.type})`);
    if (given !== undefined && given.type !== spec.type && !isEmptyList(given, spec)) {
      throw fail(`attribute "${name}" must be ${spec.type}, not ${given.type}`);
    }
    if (given?.type === 'string' && spec.words?.includes(given.value) === false)
      throw fail(`attribute "${name}" must be one of ${spec.words.join(', ')}, not "${given.value}"`);
    values[name] = given === undefined ? spec.fallback : given.value;
  }
  return values;
}

/** Some exporters write an empty list under the wrong list type. */
const isEmptyList = (given: Attribute, spec: AttributeSpec<unknown>) =>
  spec.type.endsWith('s') && Array.isArray(given.value) && given.value.length === 0;
