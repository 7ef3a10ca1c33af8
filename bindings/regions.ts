const ALIGNMENT = 64;

interface Region {
  readonly start: number;
  readonly end: number;
}

/** Allocates linear memory above `base`: first fit over a sorted list of regions. */
export class Regions {
  readonly #taken: Region[] = [];

  constructor(readonly base: number) {}

  /** End of the last region. */
  get end(): number {
    return this.#taken.at(-1)?.end ?? this.base;
  }

  get bytes(): number {
    return this.#taken.reduce((sum, r) => sum + r.end - r.start, 0);
  }

  allocate(bytes: number): number {
    if (!(bytes >= 0)) throw new RangeError(`${bytes} is no size of a region`);
    const size = Math.ceil(Math.max(bytes, 1) / ALIGNMENT) * ALIGNMENT;
    let start = this.base;
    let i = 0;
    for (; i < this.#taken.length; i++) {
      const region = this.#taken[i] as Region;
      if (region.start - start >= size) break;
      start = region.end;
    }
    this.#taken.splice(i, 0, { start, end: start + size });
    return start;
  }

  free(start: number): void {
    const i = this.#taken.findIndex((r) => r.start === start);
    if (i >= 0) this.#taken.splice(i, 1);
  }

  /** Frees the region at `start` and calls `allocate`; if that throws, restores the region. */
  instead<T>(start: number, allocate: () => T): T {
    const before = [...this.#taken];
    this.free(start);
    try {
      return allocate();
    } catch (error) {
      this.#taken.splice(0, Number.POSITIVE_INFINITY, ...before);
      throw error;
    }
  }
}
