/** The runs of one session, one at a time in the order of their calls. */
export class RunQueue {
  /** The last run that is not finished. */
  #last: Promise<unknown> | null = null;

  /** Settles when all runs have. */
  get idle(): Promise<unknown> | null {
    return this.#last;
  }

  /** Does `run` after those before it; at once, and with nothing allocated, if there are none. */
  do<T>(run: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = before ? before.then(run, run) : run();
    const settled: Promise<void> = mine.then(
      () => this.#leave(settled),
      () => this.#leave(settled),
    );
    this.#last = settled;
    return mine;
  }

  #leave(run: Promise<unknown>): void {
    if (this.#last === run) this.#last = null;
  }
}
