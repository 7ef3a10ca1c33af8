import { version } from '../../package.json';
import { env as ownEnv, type WasmOptions } from '../session/options.js';

type Flags = Record<string, unknown>;

/** Sardonyx's settings and onnxruntime-web's; of the latter, `numThreads` and `proxy` have an effect. */
export interface WasmFlags extends WasmOptions {
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

/** Settings for all sessions made from now on; its `wasm` is that of `sardonyx`. */
export const env: Env = {
  wasm: ownEnv.wasm,
  webgl: {},
  webgpu: { profiling: {} },
  // No version of `web`: transformers.js would load onnxruntime-web's files for it.
  versions: { common: '1.30.0', sardonyx: version },
  logLevel: 'warning',
};
