// Writes src/tools/schemas/table.ts, with every version of every operator of ONNX's own domains, from ONNX's changelogs in JSON.
// usage: node --import tsx tools/schema-table.ts FOLDER/onnx-schemas
import { writeFileSync } from 'node:fs';
import { ELEMENTS } from '../src/tensor/element-types.js';
import { attributeKind, readSchemas, type Schema, type SchemaParameter } from '../test/conformance/schemas.js';

const OUT = 'src/tools/schemas/table.ts';

/** Element types that occur together more often than alone. */
const GROUPS: readonly (readonly [name: string, types: readonly string[]])[] = [
  ['integers', ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64']],
  ['floats', ['float16', 'float32', 'float64']],
  ['complexes', ['complex64', 'complex128']],
  ['float8s', ['float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2', 'float8e5m2fnuz']],
];

/** Versions that deprecate an operator; the changelogs leave them out. */
const DEPRECATED: readonly (readonly [domain: string, op: string, since: number])[] = [
  ['', 'GroupNormalization', 18],
  ['', 'Scatter', 11],
  ['', 'Upsample', 10],
  ['ai.onnx.ml', 'TreeEnsembleClassifier', 5],
  ['ai.onnx.ml', 'TreeEnsembleRegressor', 5],
];

/** Attributes of the newest versions that ONNX 1.23's tests use, but the changelogs do not have yet. */
const LATER: readonly (readonly [op: string, since: number, attributes: Schema['attributes']])[] = [
  ['Attention', 25, ['left_window_size', 'right_window_size'].map((name) => ({ name, type: 'int', default: -1 }))],
];

/** Facts that the changelogs lack: numbers of outputs with gaps, and attributes that ONNX does not check. */
const REMARKS: Readonly<Record<string, string>> = {
  'BatchNormalization 1': 'outputs 1 5',
  'BatchNormalization 6': 'outputs 1 5',
  'BatchNormalization 7': 'outputs 1 5',
  'BatchNormalization 9': 'outputs 1 5',
  'BatchNormalization 14': 'outputs 1 3',
  'BatchNormalization 15': 'outputs 1 3',
  'LayerNormalization 17': 'open',
};

const ELEMENT: Readonly<Record<string, string>> = { float: 'float32', double: 'float64' };

const ORDER = Object.keys(ELEMENTS);
const rank = (type: string): number => ORDER.indexOf(/\w+(?=\)*$)/.exec(type)?.[0] ?? '');

/** `seq(tensor(float))` as `seq(float32)`. */
const shortType = (type: string): string =>
  type
    .replace(/tensor\((\w+)\)/g, '$1')
    .replace(/\b(float|double)\b/g, (word) => ELEMENT[word] as string)
    .replaceAll(' ', '');

function grouped(types: readonly string[]): string {
  const left = new Set(types.toSorted((a, b) => rank(a) - rank(b)));
  const names: string[] = [];
  for (const wrap of ['', 'seq', 'optional', 'optional(seq']) {
    const wrapped = (type: string) => (wrap ? `${wrap}(${type})${wrap.includes('(') ? ')' : ''}` : type);
    for (const [name, members] of GROUPS) {
      if (!members.every((type) => left.has(wrapped(type)))) continue;
      for (const type of members) left.delete(wrapped(type));
      names.push(wrapped(name));
    }
  }
  return [...names, ...left].join(' ');
}

function parameters(list: readonly SchemaParameter[], [least]: readonly [number, number | null]): string {
  return list
    .map(({ name, type, optional, variadic, ...rest }) => {
      const mixed = 'heterogeneous' in rest;
      const mark = variadic ? (mixed ? '*' : '...') : optional ? '?' : '';
      const none = variadic && least < list.length ? '?' : '';
      return `${name.replace('...', '')}${mark}${none}: ${shortType(type)}`;
    })
    .join(', ');
}

/** `['Tanh', 'Tanh']` as `Tanh Tanh`. */
const plainDefault = (written: string): string => written.replace(/[()[\]']/g, '').replaceAll(', ', ' ');

/** A version of an operator, in the table's notation. */
interface Declared {
  readonly op: string;
  readonly since: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly signature: string;
  readonly variables: ReadonlyMap<string, string>;
  readonly remark: string;
}

const attributes = (schema: Schema): Declared['attributes'] =>
  new Map(
    schema.attributes.map((attribute) => {
      const { name, type, required } = attribute;
      const fallback = 'default' in attribute ? `=${plainDefault(String(attribute.default))}` : '';
      const kind = attributeKind(type).replace('sparse_tensor', 'sparse');
      return [name, `${name}${required ? '!' : ''}: ${kind}${fallback}`];
    }),
  );

function declared(schema: Listed): Declared {
  const { op, since, inputs, outputs, arity, out_arity, types } = schema;
  return {
    op,
    since,
    attributes: attributes(schema),
    signature: `${parameters(inputs, arity)} -> ${parameters(outputs, out_arity)}`.trim(),
    variables: new Map(
      Object.entries(types).map(([name, list]) => [name, `${name} = ${grouped(list.map(shortType))}`]),
    ),
    remark: REMARKS[`${op} ${since}`] ?? '',
  };
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Added and changed entries, and `-name` for removed ones. */
function changes(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string {
  const gone = [...before.keys()].filter((name) => !now.has(name)).map((name) => `-${name}`);
  const come = [...now].filter(([name, text]) => before.get(name) !== text).map(([, text]) => text);
  return [...gone, ...come].join(', ');
}

/** A line of the table: all of an operator's first version, or the changes of a later one. */
function line(now: Declared, before?: Declared): string {
  const head = before ? `${now.since}` : `${now.op} ${now.since}`;
  const signature = now.signature === before?.signature ? '' : now.signature;
  return [
    head,
    changes(before?.attributes ?? NOTHING, now.attributes),
    signature,
    changes(before?.variables ?? NOTHING, now.variables),
    now.remark,
  ]
    .join(' | ')
    .replace(/[ |]+$/, '');
}

type Listed = Schema & { readonly out_arity: Schema['arity'] };

const listed = readSchemas(process.argv[2] ?? '../shared/onnx-schemas') as Listed[];

const later = LATER.map(([op, since, added]) => {
  const newest = listed.filter((schema) => schema.op === op).toSorted((a, b) => b.since - a.since)[0] as Listed;
  const all = [...newest.attributes, ...added].toSorted((a, b) => compare(a.name, b.name));
  return { ...newest, since, attributes: all };
});

const entries = [
  ...[...listed, ...later].map((schema) => ({ ...schema, declared: declared(schema) })),
  ...DEPRECATED.map(([domain, op, since]) => ({ domain, op, since, declared: undefined })),
].sort((a, b) => compare(a.domain, b.domain) || compare(a.op, b.op) || a.since - b.since);

const texts = entries.map(({ domain, op, since, declared: now }, i) => {
  const before = entries[i - 1];
  const isLater = before?.op === op && before.domain === domain;
  if (!now) return { domain, text: `${isLater ? '' : `${op} `}${since} | deprecated` };
  return { domain, text: line(now, isLater ? before.declared : undefined) };
});

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const domains = [...new Set(texts.map(({ domain }) => domain))];
const lines = domains.flatMap((domain) => [
  `domain ${domain || 'ai.onnx'}`,
  ...texts.filter((entry) => entry.domain === domain).map(({ text }) => text),
]);
writeFileSync(
  OUT,
  `/**
 * Every version of every operator of ONNX's own domains (ai.onnx 28, ai.onnx.ml 5), written by tools/schema-table.ts:
 * \`name since | attributes | inputs -> outputs | types of variables\`, and remarks; of later versions \`since\` and what they change,
 * \`-name\` what they lack. \`!\` is required, \`?\` optional, \`...\` repeats, \`*\` repeats with other types, both also none at all where
 * \`?\` follows. https://onnx.ai/onnx/operators
 */
export const TABLE = \`
${lines.join('\n')}
\`;
`,
);
