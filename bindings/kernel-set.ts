import type { WasmFiles } from './wasm-files.js';
import type { KernelSetName } from './wasm-options.js';

/** Kernels that only some models need, in a binary of their own. */
export interface KernelSet {
  readonly name: KernelSetName;
  /** The fields of each kernel's parameters, as build/kernels.ts has those of every model. */
  readonly kernels: Readonly<Record<string, string>>;
  /** Where its binaries are. */
  readonly files: WasmFiles;
}
