import { type WasmOptions, wasmOptions } from '../../bindings/wasm-options.js';
import type { Limits } from '../limits.js';
import type { OnProgress } from '../loading/progress.js';
import type { ExternalFile } from '../loading/source.js';
import type { OptimizeOptions } from '../optimize/options.js';
import type { ExecutionProvider } from './providers.js';

/** Options of `InferenceSession.create`. */
export interface SessionOptions extends OptimizeOptions {
  /** What runs the model's nodes: each goes to the first that can run it. The kernels, `wasm`, if left out. */
  readonly executionProviders?: readonly ExecutionProvider[];
  /**
   * Tensor data that the model keeps in other files, under the paths that it has for them. What is not given here is
   * looked for beside the model, in its folder or at its URL.
   */
  readonly externalData?: readonly ExternalFile[];
  /** Is told of the model's bytes, and those of its external files, as they arrive; never after `create` has settled. */
  readonly onProgress?: OnProgress;
  /** Stops `create`, downloads included; it then throws an error of code ABORTED, named `AbortError`. */
  readonly signal?: AbortSignal;
  /** What `create`, and each run, may take before it fails with the code LIMIT: for models that come from strangers. */
  readonly limits?: Limits;
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

/** What messages call the options, and show of them. */
export const SESSION_OPTIONS = 'session options';
export const OPTIONS_EXAMPLE = '{ intraOpNumThreads: 2 }';

/** Settings for all sessions made from now on. */
export const env: { readonly wasm: WasmOptions } = { wasm: wasmOptions };
