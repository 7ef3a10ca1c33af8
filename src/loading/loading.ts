import { onAbort } from '../session/on-abort.js';
import { aborted } from '../session/run-options.js';
import { type OnProgress, ProgressMeter } from './progress.js';

export interface LoadOptions {
  /** Is told of bytes as they arrive. */
  readonly onProgress?: OnProgress | undefined;
  /** Stops what is going on, downloads included. */
  readonly signal?: AbortSignal | undefined;
}

/** What the parts of one loading share. `close` ends them all: nothing is fetched or reported after it. */
export class Loading {
  readonly meter: ProgressMeter;
  readonly #controller = new AbortController();
  readonly #forget: () => void;

  constructor(private readonly options: LoadOptions) {
    this.meter = new ProgressMeter(options.onProgress);
    this.#forget = onAbort(options.signal, () => this.#controller.abort());
    if (options.signal?.aborted) this.#controller.abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Throws, named `AbortError`, once the caller wants no more. */
  check(): void {
    const { signal } = this.options;
    if (signal?.aborted) throw aborted(signal, 'loading');
    if (this.signal.aborted) throw new Error('another file of the model failed');
  }

  close(): void {
    this.meter.close();
    this.#forget();
    this.#controller.abort();
  }
}
