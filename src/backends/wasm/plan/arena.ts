import type { Engine } from '../../../../bindings/engine.js';

/** A program at `address` whose words at the byte offsets in `arena` hold addresses in the arena. */
export interface Relocatable {
  readonly address: number;
  readonly pointers: readonly { readonly arena: readonly number[] }[];
}

/** Shapes that grow from run to run, as in decoding, should not move the arena each time. */
const GROWTH = 1.25;

/** An arena that plans share. It grows when a plan needs more, and relocates the programs made before. */
export class Arena {
  #base = 0;
  #capacity = 0;
  readonly #tenants = new Set<Relocatable>();

  constructor(private readonly engine: Engine) {}

  get base(): number {
    return this.#base;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /**
   * Makes room for `bytes` behind the block that `allocate` takes. As long as nothing else lies behind the arena, it
   * grows in place, on pages that have been touched before. If `isRead`, its contents are kept.
   */
  reserve<T>(bytes: number, isRead: boolean, allocate: () => T): T {
    if (bytes <= this.#capacity) return allocate();
    const { engine } = this;
    const capacity = Math.max(bytes, Math.ceil(this.#capacity * GROWTH));
    const { before, base } = engine.regions.instead(this.#base, () => ({
      before: allocate(),
      base: engine.allocate(capacity),
    }));
    if (isRead) engine.u8.copyWithin(base, this.#base, this.#base + this.#capacity);
    for (const tenant of this.#tenants) this.#move(tenant, base - this.#base);
    this.#base = base;
    this.#capacity = capacity;
    return before;
  }

  add(program: Relocatable): void {
    this.#tenants.add(program);
  }

  remove(program: Relocatable): void {
    this.#tenants.delete(program);
  }

  #move({ address, pointers }: Relocatable, distance: number): void {
    const { i32 } = this.engine;
    for (const { arena } of pointers) {
      for (const word of arena) {
        const at = (address + word) / 4;
        i32[at] = (i32[at] as number) + distance;
      }
    }
  }
}
