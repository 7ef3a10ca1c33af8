import { type WasmOptions, wasmOptions } from '../../bindings/wasm-options.js';
import { version } from '../../package.json';

type Flags = Record<string, unknown>;

/** Sardonyx's settings and onnxruntime-web's; of the latter, `numThreads` and `proxy` have an effect. */
export interface WasmFlags extends Omit<WasmOptions, 'wasmPaths' | 'wasmBinary'> {
  /** Runs sessions in a worker. */
  proxy?: boolean;
  simd?: boolean | 'fixed' | 'relaxed';
  trace?: boolean;
  initTimeout?: number;
  /** Where onnxruntime's own files are, which Sardonyx does not need; its kernels' place is `source`. */
  wasmPaths?: string | { readonly wasm?: URL | string; readonly mjs?: URL | string };
  wasmBinary?: ArrayBufferLike | Uint8Array;
}

export interface Env {
  logLevel?: 'verbose' | 'info' | 'warning' | 'error' | 'fatal';
  debug?: boolean;
  trace?: boolean;
  readonly versions: {
    readonly common: string;
    readonly sardonyx: string;
    readonly web?: string;
    readonly node?: string;
  };
  readonly wasm: WasmFlags;
  readonly webgl: Flags;
  readonly webgpu: Flags & { profiling: Flags };
  [name: string]: unknown;
}

/** Sardonyx's own settings, but not those of the same name that say where onnxruntime's files are. */
const wasm = {} as WasmFlags;
for (const name of ['source', 'workerUrl', 'sessionWorkerUrl', 'variant', 'numThreads'] as const)
  Object.defineProperty(wasm, name, {
    enumerable: true,
    get: () => wasmOptions[name],
    set: (value: never) => {
      wasmOptions[name] = value;
    },
  });

/** Settings for all sessions made from now on; kernels and threads are set for `sardonyx`, too. */
export const env: Env = {
  wasm,
  webgl: {},
  webgpu: { profiling: {} },
  // No version of `web`: transformers.js would load onnxruntime-web's files for it.
  versions: { common: '1.30.0', sardonyx: version },
  logLevel: 'warning',
};
