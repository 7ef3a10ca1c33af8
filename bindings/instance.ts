import type { KernelName } from './parameters.js';

export interface KernelExports {
  readonly table: WebAssembly.Table;
  setScratch(address: number): void;
  setMaySleep(may: boolean): void;
  runProgram(program: number, begin: number, end: number, from: number, to: number): void;
  runTogether(team: number, program: number, begin: number, end: number, from: number, to: number): number;
  rejoin(team: number): number;
  serveTeam(team: number): void;
  dismissTeam(team: number): void;
  [kernel: string]: unknown;
}

export interface KernelInstance {
  readonly exports: KernelExports;
  /** Each kernel's index in the function table: the same in all instances of one binary. */
  readonly kernelIndex: Record<KernelName, number>;
}

/** A binary, and its kernels in the order of their indices. */
export interface KernelModule {
  readonly module: WebAssembly.Module;
  readonly names: readonly KernelName[];
}

/** Makes an instance of a module. */
export type Link = (module: WebAssembly.Module, imports: WebAssembly.Imports) => WebAssembly.Exports;

const linked: Link = (module, imports) => new WebAssembly.Instance(module, imports).exports;

/** One thread's instance of the kernels on a linear memory. */
export function instantiate({ module, names }: KernelModule, memory: WebAssembly.Memory, link?: Link): KernelInstance {
  const exports = exportsOf(module, memory, undefined, link);
  return { exports, kernelIndex: tabulate(exports.table, exports, names) };
}

/** Adds kernels to a thread's instance; programs find them in the same table. */
export function extend(
  { exports, kernelIndex }: KernelInstance,
  { module, names }: KernelModule,
  memory: WebAssembly.Memory,
  scratch: number,
  link?: Link,
): void {
  const more = exportsOf(module, memory, exports.table, link);
  more.setScratch(scratch);
  Object.assign(kernelIndex, tabulate(exports.table, more, names));
}

/** @param table the table of existing kernels, for kernels that call others */
const exportsOf = (
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  table?: WebAssembly.Table,
  link: Link = linked,
): KernelExports =>
  link(module, { env: { memory, table, now, abort: unreachable } } as WebAssembly.Imports) as unknown as KernelExports;

/** Milliseconds of a clock that all threads share; performance.now() starts with each thread. */
const now = () => performance.timeOrigin + performance.now();

function tabulate(
  table: WebAssembly.Table,
  exports: KernelExports,
  names: readonly KernelName[],
): Record<KernelName, number> {
  const first = table.grow(names.length);
  for (const [i, name] of names.entries()) table.set(first + i, exports[name] as () => void);
  return Object.fromEntries(names.map((name, i) => [name, first + i])) as Record<KernelName, number>;
}

function unreachable(): never {
  throw new Error('a kernel aborted');
}
