import { type WasmOptions, wasmOptions } from '../../bindings/wasm-options.js';
import type { Limits } from '../limits.js';
import type { OnProgress } from '../loading/progress.js';
import type { ExternalFile } from '../loading/source.js';
import type { OptimizeOptions } from '../optimize/options.js';
import type { ExecutionProvider } from './providers.js';

/** Options of `InferenceSession.create`. */
export interface SessionOptions extends OptimizeOptions {
  /** Execution providers: each node goes to the first one that can run it. Default: `wasm`. */
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
  /** Limits for `create` and each run, which fail with the code LIMIT when they exceed them: for untrusted models. */
  readonly limits?: Limits;
  /**
   * Runs step by step with this number of bytes, a multiple of 64, around every buffer, and fails where a kernel writes outside its
   * buffers; memory that is read before it is written contains NaN. For tests: slow.
   */
  readonly guardBytes?: number;
  /** Threads that work on one run, the caller's included; 0 or left out: `env.wasm.numThreads`. */
  readonly intraOpNumThreads?: number;
  /** Times every step of every run; read with `session.profile`. */
  readonly enableProfiling?: boolean;
}

/** The name of the options in messages, and an example. */
export const SESSION_OPTIONS = 'session options';
export const OPTIONS_EXAMPLE = '{ intraOpNumThreads: 2 }';

/** Settings for all sessions made from now on. */
export const env: { readonly wasm: WasmOptions } = { wasm: wasmOptions };
