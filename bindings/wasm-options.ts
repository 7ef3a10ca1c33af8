import type { Variant } from './features.js';

/** A binary, or its location: a URL, relative to the page if there is one; elsewhere a string may be a path. */
export type WasmSource = WebAssembly.Module | ArrayBufferLike | Uint8Array | URL | string | Response;

/** Kernels in one binary: those for every model, and those that most models do not need. */
export type KernelSetName = 'sardonyx' | 'quantized';

/** The package's binaries. */
export type WasmFile = `${KernelSetName}.${Variant}.wasm` | 'jpeg-decoder.wasm' | 'webp-decoder.wasm';

/** Finds the package's binaries by their names. */
export type WasmLocator = (file: WasmFile) => WasmSource | Promise<WasmSource>;

export interface WasmOptions {
  /** The kernels, or a function that finds each binary by name; by default, the package's files are read. */
  source?: WasmSource | WasmLocator;
  /** The kernels, like `source`. */
  wasmBinary?: ArrayBufferLike | Uint8Array;
  /** The prefix of the binaries' URLs, or the URL of the kernels. */
  wasmPaths?: string | { readonly wasm?: URL | string };
  /** The script of kernel threads; by default, the package's file. */
  workerUrl?: URL | string;
  /** The script of session workers; by default, the package's file. */
  sessionWorkerUrl?: URL | string;
  /** Which binary to use; `auto` probes the engine. */
  variant: Variant | 'auto';
  /** Threads of a session that sets no number; 0 or left out: one per core, at most 8. */
  numThreads?: number;
}

export const wasmOptions: WasmOptions = { variant: 'auto' };
