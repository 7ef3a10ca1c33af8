import { domainOf } from './domains.js';
import { TABLE } from './table.js';

/** An attribute that an operator declares. Its type is one of those in src/graph/graph.ts. */
export interface AttributeSchema {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly fallback?: string;
}

/** An input or output that an operator declares. */
export interface Formal {
  readonly name: string;
  /** A type variable in `types`, or a type: `float32`, `seq(int64)`. */
  readonly type: string;
  /** Whether it is required, optional or variadic. */
  readonly option: 'single' | 'optional' | 'variadic';
  /** Whether variadic values may have different types. */
  readonly mixed: boolean;
  /** The minimum number of variadic values. */
  readonly least: 0 | 1;
}

/** One version of an operator of ONNX's own domains. */
export interface Schema {
  readonly domain: string;
  readonly name: string;
  readonly since: number;
  readonly deprecated: boolean;
  readonly attributes: ReadonlyMap<string, AttributeSchema>;
  readonly inputs: readonly Formal[];
  readonly outputs: readonly Formal[];
  /** The types that each type variable permits. */
  readonly types: ReadonlyMap<string, ReadonlySet<string>>;
  /** The valid numbers of outputs, if some between the minimum and maximum are invalid. */
  readonly outputCounts?: readonly number[];
  /** Whether undeclared attributes are allowed. */
  readonly open: boolean;
}

const GROUPS: Readonly<Record<string, string>> = {
  integers: 'int8 int16 int32 int64 uint8 uint16 uint32 uint64',
  floats: 'float16 float32 float64',
  complexes: 'complex64 complex128',
  float8s: 'float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz',
};

interface Entry {
  readonly domain: string;
  readonly name: string;
  readonly since: number;
  readonly line: string;
  /** The previous version, which this one changes. */
  readonly before: Entry | undefined;
  schema?: Schema;
}

let entries: Map<string, Entry[]> | undefined;

/** The lines of the table by domain and name, oldest version first. They are parsed on demand. */
function index(): Map<string, Entry[]> {
  if (entries) return entries;
  entries = new Map();
  let [domain, name] = ['', ''];
  for (const line of TABLE.trim().split('\n')) {
    const [, word, number = ''] = /^(?:([A-Za-z]\w*) )?(\S+)/.exec(line) ?? [];
    if (word === 'domain') domain = domainOf(number);
    else {
      name = word ?? name;
      const key = `${domain}:${name}`;
      const earlier = entries.get(key) ?? [];
      const before = word ? undefined : earlier.at(-1);
      entries.set(key, [...earlier, { domain, name, since: Number(number), line, before }]);
    }
  }
  return entries;
}

const versions = (domain: string, name: string): readonly Entry[] => index().get(`${domainOf(domain)}:${name}`) ?? [];

/** The version of an operator in an opset of its domain. */
export function schemaOf(domain: string, name: string, opset: number): Schema | undefined {
  const entry = versions(domain, name).findLast(({ since }) => since <= opset);
  return entry && schemaIn(entry);
}

function schemaIn(entry: Entry): Schema {
  entry.schema ??= parse(entry);
  return entry.schema;
}

/** The opsets that introduced versions of an operator; empty for an unknown operator. */
export const sinceOf = (domain: string, name: string): readonly number[] =>
  versions(domain, name).map(({ since }) => since);

/** The names of the operators in a domain. */
export const operatorsOf = (domain: string): string[] =>
  [...index()].flatMap(([key, [entry]]) =>
    entry?.domain === domainOf(domain) ? [key.slice(key.indexOf(':') + 1)] : [],
  );

function parse({ domain, name, since, line, before }: Entry): Schema {
  const [, attributes = '', signature = '', types = '', remark = ''] = line.split('|').map((part) => part.trim());
  const [inputs = '', outputs = ''] = signature.split('->');
  const deprecated = attributes === 'deprecated';
  const old = before && !deprecated ? schemaIn(before) : undefined;
  const counts = /^outputs (.*)$/.exec(remark)?.[1];
  return {
    domain,
    name,
    since,
    deprecated,
    attributes: new Map([...changed(old?.attributes, attributes, parseAttribute)].sort(byName)),
    inputs: (signature === '' && old?.inputs) || listed(inputs).map(parseFormal),
    outputs: (signature === '' && old?.outputs) || listed(outputs).map(parseFormal),
    types: changed(old?.types, types, parseVariable),
    ...(counts && { outputCounts: counts.split(' ').map(Number) }),
    open: remark === 'open',
  };
}

const listed = (text: string): string[] =>
  text
    .split(', ')
    .map((part) => part.trim())
    .filter((part) => part.includes(':') || part.includes('='));

/**
 * Applies the changes of a later version to the declarations of an earlier one. A complete new list keeps its own
 * order.
 */
function changed<T>(before: ReadonlyMap<string, T> = new Map(), text: string, read: (part: string) => [string, T]) {
  const gone = new Set(Array.from(text.matchAll(/-(\w+)(?:, |$)/g), ([, name]) => name));
  const own = new Map(listed(text).map(read));
  const kept = [...before].filter(([name]) => !gone.has(name));
  return kept.every(([name]) => own.has(name)) ? own : new Map([...kept, ...own]);
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function parseAttribute(text: string): [string, AttributeSchema] {
  const [, name = '', mark, type = '', fallback] = /^(\w+)(!?): (\w+)(?:=(.*))?$/.exec(text) ?? [];
  return [name, { name, type, required: mark === '!', ...(fallback !== undefined && { fallback }) }];
}

function parseFormal(text: string): Formal {
  const [, name = '', mark = '', type = ''] = /^(\w+)([?.*]*): (.*)$/.exec(text) ?? [];
  const option = mark === '' ? 'single' : mark === '?' ? 'optional' : 'variadic';
  return { name, type, option, mixed: mark.startsWith('*'), least: mark.endsWith('?') ? 0 : 1 };
}

function parseVariable(text: string): [string, ReadonlySet<string>] {
  const [name = '', list = ''] = text.split(' = ');
  return [name, new Set(list.split(' ').flatMap(members))];
}

/** Expands a group in a type, such as `seq(floats)`. */
function members(type: string): string[] {
  const inner = /\w+(?=\)*$)/.exec(type)?.[0] ?? '';
  const group = GROUPS[inner];
  return group ? group.split(' ').map((member) => type.replace(inner, member)) : [type];
}

/** The minimum and maximum number of inputs or outputs. */
export function arityOf(formals: readonly Formal[]): readonly [least: number, most: number] {
  const last = formals.at(-1);
  if (last?.option === 'variadic') return [formals.length - 1 + last.least, Number.POSITIVE_INFINITY];
  return [formals.findLastIndex(({ option }) => option === 'single') + 1, formals.length];
}

/** The declaration of position `i`; undefined beyond the end. */
export function formalAt(formals: readonly Formal[], i: number): Formal | undefined {
  const last = formals.at(-1);
  return formals[i] ?? (last?.option === 'variadic' ? last : undefined);
}
