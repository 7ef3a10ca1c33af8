/** Lets lanes pass one step at a time, and stops them all for a look at a still process. */
export class Gate {
  #inside = 0;
  #isShut = false;
  #opened: (() => void)[] = [];
  #emptied: (() => void) | null = null;

  /** Does `work` while the gate is open. */
  async pass(work: () => Promise<void>): Promise<void> {
    while (this.#isShut) await new Promise<void>((resolve) => this.#opened.push(resolve));
    this.#inside++;
    try {
      await work();
    } finally {
      this.#inside--;
      if (this.#inside === 0) this.#emptied?.();
    }
  }

  /** Does `work` while nobody is inside. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#isShut = true;
    if (this.#inside > 0)
      await new Promise<void>((resolve) => {
        this.#emptied = resolve;
      });
    this.#emptied = null;
    try {
      return await work();
    } finally {
      this.#isShut = false;
      for (const go of this.#opened.splice(0)) go();
    }
  }
}
