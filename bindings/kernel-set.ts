import type { WasmFiles } from './wasm-files.js';
import type { KernelSetName } from './wasm-options.js';

/** Kernels that only some models need, in a binary of their own. */
export interface KernelSet {
  readonly name: KernelSetName;
  /** The fields of each kernel's parameters, in the format of build/kernels.ts. */
  readonly kernels: Readonly<Record<string, string>>;
  /** Locations of its binaries. */
  readonly files: WasmFiles;
}
