// asc transform: generates build/kernels.ts (or another set's), the TypeScript side of every kernel's parameter block. A kernel is an
// exported function (params: SomeParams, begin: i32, end: i32): void where SomeParams is an @unmanaged class of 32-bit fields; a field of
// type usize is a pointer. Exported enums are included; a const enum as its values.
import { ElementKind } from 'assemblyscript';
import { Transform } from 'assemblyscript/transform';

// CommonFlags of the compiler
const EXPORT = 1 << 1;
const CONST = 1 << 3;

const WORD = 4;
/** Marks after a field's name, from which bindings/parameters.ts derives its type. */
const MARKS = { usize: '*', f32: '~', i32: '', u32: '' };

const interfaceType = (type) => (type === 'usize' ? 'Pointer' : 'number');

function fieldsOf(classInstance) {
  const fields = [];
  for (let c = classInstance; c; c = c.base) {
    if (!c.members) continue;
    for (const member of c.members.values()) {
      if (member.kind !== ElementKind.PropertyPrototype) continue;
      const field = member.instance;
      if (!field?.isField || field.memoryOffset < 0 || fields.some((f) => f.name === field.name)) continue;
      fields.push({ name: field.name, type: field.type.toString(), offset: field.memoryOffset });
    }
  }
  fields.sort((a, b) => a.offset - b.offset);
  checkWords(classInstance, fields);
  return fields;
}

/** Checks that offsets follow from the order of the fields. */
function checkWords({ name, nextMemoryOffset }, fields) {
  const stray = fields.find(({ type, offset }, i) => !(type in MARKS) || offset !== i * WORD);
  if (stray) throw new Error(`${name}.${stray.name}: a parameter block consists of ${Object.keys(MARKS).join(', ')}`);
  if (nextMemoryOffset !== fields.length * WORD)
    throw new Error(`${name}: ${nextMemoryOffset} bytes are not its fields`);
}

function kernelOf(fn) {
  const types = fn.signature.parameterTypes;
  if (types.length !== 3 || types[1].toString() !== 'i32' || types[2].toString() !== 'i32') return null;
  const params = types[0].classReference;
  return params?.prototype.decoratorNodes?.some((d) => d.name.text === 'unmanaged') ? params : null;
}

// Read from the source: the compiler gives values only to enums that it must keep at run time.
function enumValues(element) {
  let next = 0;
  return [...element.members.values()]
    .filter((member) => member.kind === ElementKind.EnumValue)
    .map((member) => {
      const value = member.valueNode ? Number(member.valueNode.range.toString()) : next;
      if (!Number.isInteger(value)) throw new Error(`${element.name}.${member.name}: write its value as an integer`);
      next = value + 1;
      return [member.name, value];
    });
}

function manifest(program, entries) {
  const exporting = entries.map((file) => file.replace(/\.ts$/, ''));
  const kernels = new Map();
  const classes = new Map();
  const enums = new Map();
  for (const file of program.filesByName.values()) {
    for (const element of file.members?.values() ?? []) {
      if (element.kind === ElementKind.Enum && file.internalName.startsWith('assembly/') && element.is(EXPORT))
        enums.set(element.name, { isConst: element.is(CONST), values: enumValues(element) });
    }
    if (!exporting.includes(file.internalName)) continue;
    for (const [name, element] of file.exports ?? []) {
      if (element.kind !== ElementKind.FunctionPrototype) continue;
      const fn = element.instances && [...element.instances.values()][0];
      const params = fn && kernelOf(fn);
      if (!params) continue;
      kernels.set(name, params.name);
      classes.set(params.name, params);
    }
  }
  return { kernels, classes, enums };
}

const layoutName = (params) => params[0].toLowerCase() + params.slice(1);

function renderParams(name, fields) {
  const members = fields.map((field) => `  ${field.name}: ${interfaceType(field.type)};`);
  const layout = fields.map((field) => field.name + MARKS[field.type]).join(' ');
  return [`export interface ${name} {`, ...members, '}', '', `const ${layoutName(name)} = '${layout}';`, ''];
}

function renderEnum(name, { isConst, values }) {
  if (isConst)
    return [`export const enum ${name} {`, ...values.map(([member, value]) => `  ${member} = ${value},`), '}', ''];
  return [`export const ${name} = {`, ...values.map(([member, value]) => `  ${member}: ${value},`), '} as const;', ''];
}

function render({ kernels, classes, enums }) {
  const out = ['// Generated from assembly/ by tools/kernel-manifest.mjs.', ''];
  out.push("import type { Pointer } from '../bindings/place.js';", '');
  for (const [name, c] of classes) out.push(...renderParams(name, fieldsOf(c)));
  out.push('export interface KernelParams {');
  for (const [kernel, params] of kernels) out.push(`  ${kernel}: ${params};`);
  out.push('}', '', 'export const kernels: { readonly [K in keyof KernelParams]: string } = {');
  for (const [kernel, params] of kernels) out.push(`  ${kernel}: ${layoutName(params)},`);
  out.push('};', '');
  for (const [name, members] of enums) out.push(...renderEnum(name, members));
  return out.join('\n');
}

/** A transform that passes the generated text for the kernels of these files to `keep`. */
export const kernelManifest = (entries, keep) =>
  class extends Transform {
    afterCompile() {
      keep(render(manifest(this.program, entries)));
    }
  };
