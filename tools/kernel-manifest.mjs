// asc transform: writes build/kernels.ts, the TypeScript side of every kernel's parameter block.
// A kernel is an exported function (params: SomeParams, begin: i32, end: i32): void where SomeParams is an
// @unmanaged class; a field of type usize is a pointer. Exported enums that kernels use are carried over.
import { mkdirSync, writeFileSync } from 'node:fs';
import { ElementKind } from 'assemblyscript';
import { Transform } from 'assemblyscript/transform';

const EXPORT = 1 << 1; // CommonFlags.Export of the compiler

const interfaceType = (kind) => (kind === 'pointer' ? 'Pointer' : 'number');

function fieldsOf(classInstance) {
  const fields = [];
  for (let c = classInstance; c; c = c.base) {
    if (!c.members) continue;
    for (const member of c.members.values()) {
      if (member.kind !== ElementKind.PropertyPrototype) continue;
      const field = member.instance;
      if (!field?.isField || field.memoryOffset < 0 || fields.some((f) => f.name === field.name)) continue;
      const type = field.type.toString();
      fields.push({ name: field.name, kind: type === 'usize' ? 'pointer' : type, offset: field.memoryOffset });
    }
  }
  return fields.sort((a, b) => a.offset - b.offset);
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

function manifest(program) {
  const kernels = new Map();
  const classes = new Map();
  const enums = new Map();
  for (const file of program.filesByName.values()) {
    for (const element of file.members?.values() ?? []) {
      if (element.kind === ElementKind.Enum && file.internalName.startsWith('assembly/') && element.is(EXPORT))
        enums.set(element.name, enumValues(element));
    }
    if (!file.internalName.startsWith('assembly/index')) continue;
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

function render({ kernels, classes, enums }) {
  const out = ['// Generated from assembly/ by tools/kernel-manifest.mjs.', ''];
  out.push("import type { KernelLayout, Pointer } from '../bindings/parameters.js';", '');
  for (const [name, c] of classes) {
    out.push(`export interface ${name} {`);
    for (const f of fieldsOf(c)) out.push(`  ${f.name}: ${interfaceType(f.kind)};`);
    out.push('}', '');
  }
  out.push('export interface KernelParams {');
  for (const [kernel, params] of kernels) out.push(`  ${kernel}: ${params};`);
  out.push('}', '', 'export const kernels: { [K in keyof KernelParams]: KernelLayout } = {');
  for (const [kernel, params] of kernels) {
    const c = classes.get(params);
    const fields = fieldsOf(c).map((f) => `['${f.name}', '${f.kind}', ${f.offset}]`);
    out.push(`  ${kernel}: { size: ${c.nextMemoryOffset}, fields: [${fields.join(', ')}] },`);
  }
  out.push('};', '');
  for (const [name, members] of enums) {
    out.push(`export const ${name} = {`);
    for (const [member, value] of members) out.push(`  ${member}: ${value},`);
    out.push('} as const;', '');
  }
  return out.join('\n');
}

export default class KernelManifest extends Transform {
  afterCompile() {
    mkdirSync('build', { recursive: true });
    writeFileSync('build/kernels.ts', render(manifest(this.program)));
  }
}
