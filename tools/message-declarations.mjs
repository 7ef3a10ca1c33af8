import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/** Types of values in JavaScript; all others of protobuf's are numbers. */
const SCALARS = { string: 'string', bytes: 'Uint8Array', bool: 'boolean' };

const HEAD = `/** 64 bits in two words, where a number could not hold them. */
export interface Long {
  readonly low: number;
  readonly high: number;
  readonly unsigned: boolean;
  toNumber(): number;
}
`;

/** Declarations of the messages of a schema as frozen documents have them: interfaces, for which nobody needs protobufjs. */
export function messageDeclarations(schema) {
  const { root } = protobuf.parse(readFileSync(schema, 'utf8'), { keepCase: false });
  return HEAD + declared(root.nestedArray);
}

const declared = (types) =>
  types
    .filter((type) => type instanceof protobuf.Type)
    .map((type) => `${interfaceOf(type)}${namespaceOf(type)}`)
    .join('');

const interfaceOf = (type) => `export interface ${type.name} {\n${type.fieldsArray.map(fieldOf).join('')}}\n`;

function namespaceOf({ name, nestedArray }) {
  const inner = declared(nestedArray);
  return inner ? `export namespace ${name} {\n${inner}}\n` : '';
}

function fieldOf(field) {
  field.resolve();
  const { name, repeated, resolvedType } = field;
  const type = typeOf(field);
  if (repeated) return `  readonly ${name}: readonly (${type})[];\n`;
  return resolvedType instanceof protobuf.Type
    ? `  readonly ${name}?: ${type} | null;\n`
    : `  readonly ${name}: ${type};\n`;
}

function typeOf({ type, resolvedType }) {
  if (resolvedType instanceof protobuf.Type) return resolvedType.fullName.slice(1);
  if (resolvedType) return 'number';
  return SCALARS[type] ?? (/64$/.test(type) ? 'number | Long' : 'number');
}
