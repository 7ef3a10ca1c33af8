import type { Engine } from '../../../../bindings/engine.js';

/** A program at `address` whose words at `arena`, in bytes from there, hold addresses inside the arena. */
export interface Relocatable {
  readonly address: number;
  readonly pointers: readonly { readonly arena: readonly number[] }[];
}

/** Shapes that grow from run to run, as in decoding, shall not move the arena each time. */
const GROWTH = 1.25;

/** The one arena of a session. It grows when a plan needs more; programs made before are then moved along. */
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

  /** Makes room for `bytes`. What lies there is kept, or, where nobody reads it again, makes way beforehand. */
  reserve(bytes: number, isRead: boolean): void {
    if (bytes <= this.#capacity) return;
    const capacity = Math.max(bytes, Math.ceil(this.#capacity * GROWTH));
    if (isRead) this.#moveTo(this.#copied(capacity), capacity);
    else this.#replace(capacity);
  }

  #copied(capacity: number): number {
    const { engine } = this;
    const base = engine.allocate(capacity);
    engine.u8.copyWithin(base, this.#base, this.#base + this.#capacity);
    this.#free();
    return base;
  }

  /** The memory given back is there still if there is none that is larger. */
  #replace(capacity: number): void {
    const { engine } = this;
    this.#free();
    try {
      this.#moveTo(engine.allocate(capacity), capacity);
    } catch (error) {
      if (this.#capacity > 0) this.#moveTo(engine.allocate(this.#capacity), this.#capacity);
      throw error;
    }
  }

  #free(): void {
    if (this.#capacity > 0) this.engine.free(this.#base);
  }

  #moveTo(base: number, capacity: number): void {
    if (base !== this.#base) for (const tenant of this.#tenants) this.#move(tenant, base - this.#base);
    this.#base = base;
    this.#capacity = capacity;
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
