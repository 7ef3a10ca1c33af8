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
  readonly #follow = () => this.#controller.abort();

  constructor(private readonly options: LoadOptions) {
    this.meter = new ProgressMeter(options.onProgress);
    if (options.signal?.aborted) this.#follow();
    else options.signal?.addEventListener('abort', this.#follow);
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
    this.options.signal?.removeEventListener('abort', this.#follow);
    this.#controller.abort();
  }
}
