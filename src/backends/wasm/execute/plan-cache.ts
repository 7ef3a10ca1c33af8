import type { Stage } from '../plan/stage.js';

/** What the stages kept for one graph may take, as `bytesOf` counts it: some 300 shapes of a network of 100 steps. */
const DEFAULT_BYTES = 32 << 20;

/** The stages planned for one graph, each in a table of its own kind; beyond so many bytes those used least recently are dropped. */
export class PlanCache {
  /** In the order of their last use, with what takes a stage out of its table. */
  readonly #stages = new Map<Stage, () => void>();
  #bytes = 0;

  constructor(
    private readonly isInUse: (stage: Stage) => boolean,
    private readonly free: (stage: Stage) => void,
    private readonly maxBytes = DEFAULT_BYTES,
  ) {}

  /** The stage under `key`, made where there is none. */
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

/** Bytes of the heap for each step of a stage that was planned, and of one that was revised, which shares most of them. */
const STEP_BYTES = { planned: 2000, revised: 300 };

/** What a stage takes in linear memory and, about, on the heap. */
const bytesOf = ({ program, contentsBytes, origin }: Stage): number =>
  program.bytes + program.constants.bytes + contentsBytes + program.steps * STEP_BYTES[origin.kind];
