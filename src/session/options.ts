import { type WasmOptions, wasmOptions } from '../../bindings/wasm-options.js';
import type { OnProgress } from '../loading/progress.js';
import type { ExternalFile } from '../loading/source.js';
import type { Limits } from './limits.js';

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
  /** Values inside the graph, by their names in the model, that the session gives out beside the model's outputs. */
  readonly extraOutputs?: readonly string[];
  /** Lets a symbol be of another size in each place, as onnxruntime does; a few rewrites know less then. */
  readonly looseSymbols?: boolean;
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
