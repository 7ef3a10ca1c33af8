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
  /** Where each kernel is in the function table: the same in all instances of one binary. */
  readonly kernelIndex: Readonly<Record<KernelName, number>>;
}

/** One thread's instance of the kernels on a linear memory; `names` are all kernels, in the order of their numbers. */
export function instantiate(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  names: readonly KernelName[],
): KernelInstance {
  const instance = new WebAssembly.Instance(module, { env: { memory, abort: unreachable } });
  const exports = instance.exports as unknown as KernelExports;
  return { exports, kernelIndex: tabulate(exports, names) };
}

function tabulate(exports: KernelExports, names: readonly KernelName[]): Record<KernelName, number> {
  const { table } = exports;
  const first = table.grow(names.length);
  for (const [i, name] of names.entries()) table.set(first + i, exports[name] as () => void);
  return Object.fromEntries(names.map((name, i) => [name, first + i])) as Record<KernelName, number>;
}

function unreachable(): never {
  throw new Error('a kernel aborted');
}
