import { type WasmOptions, wasmOptions } from '../../bindings/wasm-options.js';

/** How far the graph is rewritten before it runs; `disabled` runs it operator by operator as the model says it. */
export type OptimizationLevel = 'disabled' | 'basic' | 'extended' | 'layout' | 'all';

export interface SessionOptions {
  /** Default `all`. */
  readonly graphOptimizationLevel?: OptimizationLevel;
  /** Stops the optimizer after so many rewrites: bisects a wrong one. */
  readonly maxRewrites?: number;
  /** Notes also which rewrites were refused and why; read with `session.rewrites`. */
  readonly explainRewrites?: boolean;
  /** Sizes for dimensions that the model leaves open, by their symbol. */
  readonly freeDimensionOverrides?: Readonly<Record<string, number>>;
  /** Tensor data that the model keeps in other files, where there is no file system to find them in. */
  readonly externalData?: readonly { readonly path: string; readonly data: Uint8Array | ArrayBuffer }[];
  /**
   * Runs step by step with so many bytes, a multiple of 64, around every buffer, and fails where a kernel writes outside
   * of what it was given; what is read before it is written shows as NaN. For tests: slow.
   */
  readonly guardBytes?: number;
  /** Threads that work on one run, the caller's included; 0 or left out: `env.wasm.numThreads`. */
  readonly intraOpNumThreads?: number;
  /** Times every step of every run; read with `session.profile`. */
  readonly enableProfiling?: boolean;
}

/** Settings for all sessions made from now on. */
export const env: { readonly wasm: WasmOptions } = { wasm: wasmOptions };
