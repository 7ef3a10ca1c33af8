import type { Variant } from './features.js';

/** A binary, or where it is: a URL, relative to the page where there is one; elsewhere a string may be a path. */
export type WasmSource = WebAssembly.Module | ArrayBufferLike | Uint8Array | URL | string | Response;

/** Kernels that are one binary: those of every model, and those of narrow numbers. */
export type KernelSetName = 'sardonyx' | 'quantized';

/** The package's binaries. */
export type WasmFile = `${KernelSetName}.${Variant}.wasm` | 'jpeg-decoder.wasm' | 'webp-decoder.wasm';

/** Finds the package's binaries by their names. */
export type WasmLocator = (file: WasmFile) => WasmSource | Promise<WasmSource>;

export interface WasmOptions {
  /** The kernels, or a function that finds each binary by name; by default, the package's files are read. */
  source?: WasmSource | WasmLocator;
  /** The kernels, as `source`. */
  wasmBinary?: ArrayBufferLike | Uint8Array;
  /** The prefix of the binaries' URLs, or the URL of the kernels. */
  wasmPaths?: string | { readonly wasm?: URL | string };
  /** The script of kernel threads; by default, the package's file. */
  workerUrl?: URL | string;
  /** The script of session workers; without it, the package's own. */
  sessionWorkerUrl?: URL | string;
  /** Which binary to use; `auto` probes the engine. */
  variant: Variant | 'auto';
  /** Threads of a session that asks for no number; 0 or left out: one per core, at most 8. */
  numThreads?: number;
}

export const wasmOptions: WasmOptions = { variant: 'auto' };
