import type { Account } from '../account.js';
import { aborted } from '../base/aborted.js';
import { onAbort } from '../base/on-abort.js';
import { type OnProgress, ProgressMeter } from './progress.js';

export interface LoadOptions {
  /** Called with the number of bytes as they arrive. */
  readonly onProgress?: OnProgress | undefined;
  /** Aborts the loading, downloads included. */
  readonly signal?: AbortSignal | undefined;
}

/** Longer timers fire immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** State that the parts of one loading process share. `close` ends them all: nothing is fetched or reported after it. */
export class Loading {
  readonly meter: ProgressMeter;
  readonly #controller = new AbortController();
  readonly #forget: () => void;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly options: LoadOptions,
    readonly account: Account | null = null,
  ) {
    this.meter = new ProgressMeter(options.onProgress);
    this.#forget = onAbort(options.signal, () => this.#controller.abort());
    if (options.signal?.aborted) this.#controller.abort();
    const remaining = account?.remaining ?? Number.POSITIVE_INFINITY;
    if (remaining < LONGEST_TIMER) this.#timer = setTimeout(() => this.#controller.abort(), remaining + 1);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Throws an error, named `AbortError`, once the caller has aborted. */
  check(): void {
    const { signal } = this.options;
    if (signal?.aborted) throw aborted(signal, 'loading');
    this.account?.look();
    if (this.signal.aborted) throw new Error('another file of the model failed');
  }

  close(): void {
    this.meter.close();
    this.#forget();
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}
