import type { Stage } from '../plan/stage.js';

/** The limit on stages kept for one graph, as `bytesOf` counts them: some 300 shapes of a network of 100 steps. */
const DEFAULT_BYTES = 32 << 20;

/** An LRU cache of the stages planned for one graph, with a limit in bytes. Each stage is in one of several tables. */
export class PlanCache {
  /** In the order of their last use, with functions that remove each stage from its table. */
  readonly #stages = new Map<Stage, () => void>();
  #bytes = 0;

  constructor(
    private readonly isInUse: (stage: Stage) => boolean,
    private readonly free: (stage: Stage) => void,
    private readonly maxBytes = DEFAULT_BYTES,
  ) {}

  /** The stage under `key`, made if there is none. */
  get(table: Map<string, Stage>, key: string, make: () => Stage): Stage {
    const known = table.get(key);
    if (known) {
      this.#use(known, this.#stages.get(known) as () => void);
      return known;
    }
    const made = make();
    table.set(key, made);
    this.#use(made, () => table.delete(key));
    this.#bytes += bytesOf(made);
    if (this.#bytes > this.maxBytes) this.#shrink(made);
    return made;
  }

  clear(): void {
    for (const stage of [...this.#stages.keys()]) this.#drop(stage);
  }

  #use(stage: Stage, remove: () => void): void {
    this.#stages.delete(stage);
    this.#stages.set(stage, remove);
  }

  #shrink(newest: Stage): void {
    for (const stage of [...this.#stages.keys()]) {
      if (this.#bytes <= this.maxBytes) return;
      if (stage !== newest && !this.isInUse(stage)) this.#drop(stage);
    }
  }

  /** Drops a stage and those that follow it. */
  #drop(stage: Stage): void {
    const remove = this.#stages.get(stage);
    if (!remove) return;
    remove();
    this.#stages.delete(stage);
    this.#bytes -= bytesOf(stage);
    for (const next of [...(stage.rest?.cache.values() ?? [])]) this.#drop(next);
    this.free(stage);
  }
}

/** Heap bytes per step of a planned stage, and of a revised one, which shares most of them. */
const STEP_BYTES = { planned: 2000, revised: 300 };

/** The size of a stage in linear memory and, approximately, on the heap. */
const bytesOf = ({ program, contentsBytes, origin }: Stage): number =>
  program.bytes + program.constants.bytes + contentsBytes + program.steps * STEP_BYTES[origin.kind];
