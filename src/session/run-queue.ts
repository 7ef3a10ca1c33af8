/** Queue of the runs of one session, one at a time in call order. */
export class RunQueue {
  /** The last unfinished run. */
  #last: Promise<unknown> | null = null;

  /** Settles when all runs have settled. */
  get idle(): Promise<unknown> | null {
    return this.#last;
  }

  /** Calls `run` after earlier ones; immediately, and without allocation, if there are none. */
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
