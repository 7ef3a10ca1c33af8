// Compiles src/model/onnx.proto to tables of messages (see src/model/wire/message-types.ts): build/onnx.js, and the read-only
// build/onnx-reader.js, which pages load; with their types, and types of frozen documents in build/onnx-documents.d.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import protobuf from 'protobufjs';

const schema = readFileSync('src/model/onnx.proto', 'utf8');
const rootOf = () => protobuf.parse(schema, { keepCase: false }).root.resolveAll();

/** The part of protobufjs that a reader needs; protobufjs/minimal.js has the writer too, 3 kB of a page. */
const RUNTIME = `import Reader from 'protobufjs/src/reader.js';
import roots from 'protobufjs/src/roots.js';
import util from 'protobufjs/src/util/minimal.js';

/** A Buffer of Node is read as a Uint8Array: also by the other schema, which has this reader too. */
class BufferReader extends Reader {
  static _configure() {}
}

function configure() {
  util.LongBits._configure(util.Long);
  Reader._configure(BufferReader);
}

export default { Reader, configure, roots, util };
`;
const RUNTIME_TYPES = `import type protobuf from 'protobufjs/minimal.js';
declare const parts: Pick<typeof protobuf, 'Reader' | 'configure' | 'roots' | 'util'>;
export default parts;
`;

/** Fields that graphs do not use, and of which exporters write kilobytes for each node. */
const SKIPPED = {
  docString: () => true,
  metadataProps: ({ parent }) => parent.name !== 'ModelProto',
};

function withoutSkipped(root) {
  const fields = root.nestedArray.flatMap((type) => type.fieldsArray ?? []);
  for (const [name, isSkipped] of Object.entries(SKIPPED)) {
    const skipped = fields.filter((field) => field.name === name && isSkipped(field));
    if (skipped.length === 0) throw new Error(`no message has a field ${name} to skip`);
    for (const field of skipped) field.parent.remove(field);
  }
  return root;
}

const nameOf = (type) => type.fullName.slice(1);
const isMessage = (type) => type instanceof protobuf.Type;

/** Lines of the table for a type. */
function linesOf(type) {
  if (!isMessage(type)) {
    const values = Object.entries(type.values).map((pair) => pair.join(':'));
    return [`${nameOf(type)}=${values.join(' ')}`];
  }
  const fields = type.fieldsArray.toSorted((a, b) => a.id - b.id).map(fieldOf);
  return [[nameOf(type), ...fields].join(' '), ...type.nestedArray.flatMap(linesOf)];
}

function fieldOf({ name, id, type, resolvedType, repeated, packed, partOf }) {
  const form = repeated ? (packed ? '+' : '*') : '';
  return `${name}:${resolvedType ? nameOf(resolvedType) : type}${form}${partOf ? `?${partOf.name}` : ''}:${id}`;
}

/** Source of a module with the types in a schema, which `make` from `file` builds from the table with parts of protobufjs. */
const moduleOf = ({ nestedArray }, make, file, parts) => `import parts from '${parts}';
import { ${make} } from '../src/model/wire/${file}.ts';

const types = ${make}(parts, \`${nestedArray.flatMap(linesOf).join('\n')}\`);

${nestedArray.map(({ name }) => `export const ${name} = types.${name};\n`).join('')}`;

/** Types of values in JavaScript; all others of protobuf's types are numbers. */
const SCALARS = { string: 'string', bytes: 'Uint8Array', bool: 'boolean' };

function typeOf({ type, resolvedType }) {
  if (resolvedType) return nameOf(resolvedType);
  return SCALARS[type] ?? (/64$/.test(type) ? 'number | Long' : 'number');
}

/** A member of a message that was read; its lists are never null. */
function memberOf(field) {
  const type = typeOf(field);
  if (field.repeated) return `${field.name}: (${type})[];`;
  return isMessage(field.resolvedType) || field.partOf ? `${field.name}?: ${type} | null;` : `${field.name}: ${type};`;
}

/** A member of a message to write; any may be left out. */
function propertyOf(field) {
  const type = typeOf(field) + (isMessage(field.resolvedType) ? '.$Properties' : '');
  return `${field.name}?: ${field.repeated ? `(${type})[]` : type} | null;`;
}

const choiceOf = ({ name, oneof }) => `${name}?: ${oneof.map((field) => `'${field}'`).join(' | ')};`;

function classOf(type) {
  if (!isMessage(type)) {
    const values = Object.entries(type.values).map((pair) => pair.join(' = '));
    return `export enum ${type.name} { ${values.join(', ')} }\n`;
  }
  const name = nameOf(type);
  return `export class ${type.name} {
constructor(properties?: ${name}.$Properties);
$unknowns?: Uint8Array[];
${type.fieldsArray.map(memberOf).join('\n')}
${type.oneofsArray.map(choiceOf).join('\n')}
static encode(message: ${name}.$Properties, writer?: protobuf.Writer): protobuf.Writer;
static decode(reader: protobuf.Reader | Uint8Array, length?: number): ${name};
}
export namespace ${type.name} {
interface $Properties {
${type.fieldsArray.map(propertyOf).join('\n')}
$unknowns?: Uint8Array[];
}
${type.nestedArray.map(classOf).join('')}}
`;
}

/** Interfaces that do not depend on protobufjs: for messages only, because enums are numbers in documents. */
function interfaceOf(type) {
  const members = type.fieldsArray.map((field) => {
    const value = isMessage(field.resolvedType) || !field.resolvedType ? typeOf(field) : 'number';
    if (field.repeated) return `  readonly ${field.name}: readonly (${value})[];`;
    return `  readonly ${field.name}${isMessage(field.resolvedType) ? `?: ${value} | null` : `: ${value}`};`;
  });
  const inner = type.nestedArray.filter(isMessage).map(interfaceOf).join('');
  const namespace = inner && `export namespace ${type.name} {\n${inner}}\n`;
  return `export interface ${type.name} {\n${members.join('\n')}\n}\n${namespace}`;
}

const LONG = `/** 64 bits in two words, where a number could not hold them. */
export interface Long {
  readonly low: number;
  readonly high: number;
  readonly unsigned: boolean;
  toNumber(): number;
}
`;
const IMPORTS = `import type protobuf from 'protobufjs/minimal.js';\nimport type { Long } from '../src/model/int64.js';\n\n`;

mkdirSync('build', { recursive: true });
const whole = rootOf();
const read = withoutSkipped(rootOf());
const files = {
  'onnx.js': moduleOf(whole, 'writtenTypes', 'encoders', 'protobufjs/minimal.js'),
  'onnx.d.ts': IMPORTS + whole.nestedArray.map(classOf).join(''),
  'onnx-reader.js': moduleOf(read, 'messageTypes', 'message-types', './protobuf-reader.js'),
  'onnx-reader.d.ts': "export * from './onnx.js';\n",
  'onnx-documents.d.ts': LONG + whole.nestedArray.filter(isMessage).map(interfaceOf).join(''),
  'protobuf-reader.js': RUNTIME,
  'protobuf-reader.d.ts': RUNTIME_TYPES,
};
for (const [name, text] of Object.entries(files)) writeFileSync(`build/${name}`, text);
