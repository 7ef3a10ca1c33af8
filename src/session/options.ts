import { type WasmOptions, wasmOptions } from '../../bindings/wasm-options.js';
import type { Limits } from '../limits.js';
import type { OnProgress } from '../loading/progress.js';
import type { ExternalFile } from '../loading/source.js';
import type { OptimizeOptions } from '../optimize/options.js';
import type { ExecutionProvider } from './providers.js';

/** Options of `InferenceSession.create`. */
export interface SessionOptions extends OptimizeOptions {
  /** Execution providers: each node runs on the first one that supports it. Default: `wasm`. */
  readonly executionProviders?: readonly ExecutionProvider[];
  /**
   * External data files, by their paths in the model. Files that are not given here are searched next to the model, in its folder or at its
   * URL.
   */
  readonly externalData?: readonly ExternalFile[];
  /** Called with the progress of the model and its external files; never after `create` has settled. */
  readonly onProgress?: OnProgress;
  /** Aborts `create`, downloads included, with an error of code ABORTED, named `AbortError`. */
  readonly signal?: AbortSignal;
  /** Limits for `create` and each run, which fail with code LIMIT if they exceed them. For untrusted models. */
  readonly limits?: Limits;
  /**
   * Runs step by step with this number of guard bytes, a multiple of 64, around every buffer, and fails if a kernel writes outside its
   * buffers. Memory that is read before it is written contains NaN. For tests, because it is slow.
   */
  readonly guardBytes?: number;
  /** Threads per run, including the caller's; 0 or absent: `env.wasm.numThreads`. */
  readonly intraOpNumThreads?: number;
  /** Times every step of every run; see `session.profile`. */
  readonly enableProfiling?: boolean;
}

/** The name of the options in messages, and an example. */
export const SESSION_OPTIONS = 'session options';
export const OPTIONS_EXAMPLE = '{ intraOpNumThreads: 2 }';

/** Settings for all sessions created from now on. */
export const env: { readonly wasm: WasmOptions } = { wasm: wasmOptions };
