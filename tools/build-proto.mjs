// Compiles src/model/onnx.proto to tables of messages: build/onnx.js, with its types in build/onnx.d.ts; for those who only read,
// build/onnx-reader.js.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import protobuf from 'protobufjs';
import pbjs from 'protobufjs-cli/pbjs.js';

const OUT = 'build/onnx.js';
const SCHEMA = 'src/model/onnx.proto';
const READER = 'build/onnx-reader.js';
const TYPES = 'build/onnx.d.ts';

/** What of protobufjs a reader needs; protobufjs/minimal.js has the writer too. */
const RUNTIME = 'build/protobuf-reader.js';
const PARTS = `import Reader from 'protobufjs/src/reader.js';
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
const TYPES_OF_PARTS = `import type protobuf from 'protobufjs/minimal.js';

declare const parts: Pick<typeof protobuf, 'Reader' | 'configure' | 'roots' | 'util'>;
export default parts;
`;

/** How training and many devices divide a model, which is no part of what it computes, and values that only the command line reads: a third of the reader. */
const UNREAD =
  /TrainingInfo|TensorAnnotation|DeviceConfiguration|Shard|IntIntList|Opaque|SequenceProto|MapProto|OptionalProto/;

/** Words for people, save those of the whole model, and what nothing is made of. */
const UNREAD_FIELDS =
  /^ +.*\b(?:doc_string|denotation|model_version|opaque_type|domain(?= = 4;)|value_info(?= = 12;)|metadata_props(?! = 14;\n.*TrainingInfo)) = \d+;\n/gm;

/** The schema without these fields, and without the messages of these names and the fields that hold them. */
const without = (schema, fields, names) =>
  schema
    .replace(fields, '')
    .replace(/^message (\w+) \{[\s\S]*?^\}\n/gm, (message, name) => (names.test(name) ? '' : message))
    .replace(/^ {2}message (\w+) \{[\s\S]*?^ {2}\}\n/gm, (message, name) => (names.test(name) ? '' : message))
    .replace(/^ +repeated (\w+) \w+ = \d+;\n/gm, (field, type) => (names.test(type) ? '' : field));

/** Lines of the table, see src/model/wire/message-types.ts. */
function tableOf(schema) {
  const { root } = protobuf.parse(schema, { keepCase: false });
  return root.resolveAll().nestedArray.flatMap(linesOf);
}

const nameOf = (type) => type.fullName.slice(1);

function linesOf(type) {
  if (type instanceof protobuf.Enum)
    return [
      `${nameOf(type)}=${Object.entries(type.values)
        .map((pair) => pair.join(':'))
        .join(' ')}`,
    ];
  const fields = [...type.fieldsArray].sort((a, b) => a.id - b.id).map(fieldOf);
  return [[nameOf(type), ...fields].join(' '), ...type.nestedArray.flatMap(linesOf)];
}

function fieldOf({ name, id, type, resolvedType, repeated, packed, partOf }) {
  const form = repeated ? (packed ? '+' : '*') : '';
  return `${name}:${resolvedType ? nameOf(resolvedType) : type}${form}${partOf ? `?${partOf.name}` : ''}:${id}`;
}

/** A module of the types in a schema, which `make` of a file makes of its table by parts of protobufjs. */
function moduleOf(schema, make, file, parts) {
  const table = tableOf(schema);
  const names = table.map((line) => line.split(/[ =]/)[0]).filter((name) => !name.includes('.'));
  return `import parts from '${parts}';
import { ${make} } from '../src/model/wire/${file}.ts';

const types = ${make}(parts, \`${table.join('\n')}\`);

${names.map((name) => `export const ${name} = types.${name};\n`).join('')}`;
}

mkdirSync('build', { recursive: true });
const schema = readFileSync(SCHEMA, 'utf8');
const unneeded = ['create', 'verify', 'convert', 'delimited', 'typeurl', 'service'].map((part) => `--no-${part}`);
const STATIC = ['--target', 'static-module', '--wrap', 'esm', '--dependency', 'protobufjs/minimal.js'];
await promisify(pbjs.main)([...STATIC, ...unneeded, '--out', OUT, '--dts', SCHEMA]);
writeFileSync(OUT, moduleOf(schema, 'writtenTypes', 'encoders', 'protobufjs/minimal.js'));
writeFileSync(
  READER,
  moduleOf(without(schema, UNREAD_FIELDS, UNREAD), 'messageTypes', 'message-types', './protobuf-reader.js'),
);
writeFileSync(RUNTIME, PARTS);
writeFileSync(RUNTIME.replace('.js', '.d.ts'), TYPES_OF_PARTS);
writeFileSync('build/onnx-reader.d.ts', "export * from './onnx.js';\n");

// A decoded message consists of messages, whose repeated fields are never null: say so, for the reader's sake.
const types = readFileSync(TYPES, 'utf8')
  .replace('import Long = require("long");', "import type { Long } from '../src/model/int64.js';")
  .replace(/^( *)(?:export )?class [\s\S]*?^\1}/gm, (body) =>
    body.replace(/^ +\w+\??: .*/gm, (field) => field.replaceAll('.$Properties', '')),
  )
  .replace(/decode\((.*)\): (\S+) & \S+;/g, 'decode($1): $2;');
writeFileSync(TYPES, types);
