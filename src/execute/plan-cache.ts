import type { Stage } from '../plan/stage.js';

/** The stages planned for one graph, each in a table of its own kind; beyond a limit the one used least recently is dropped. */
export class PlanCache {
  /** In the order of their last use, with what takes a stage out of its table. */
  readonly #stages = new Map<Stage, () => void>();

  constructor(
    private readonly limit: number,
    private readonly free: (stage: Stage) => void,
  ) {}

  /** The stage under `key`, made where there is none. Stages of the run that is going on are not dropped. */
  get(table: Map<string, Stage>, key: string, running: readonly Stage[], make: () => Stage): Stage {
    const known = table.get(key);
    if (known) {
      this.#use(known, this.#stages.get(known) as () => void);
      return known;
    }
    const made = make();
    if (this.#stages.size >= this.limit) this.#dropOldest(running);
    table.set(key, made);
    this.#use(made, () => table.delete(key));
    return made;
  }

  clear(): void {
    for (const stage of [...this.#stages.keys()]) this.#drop(stage);
  }

  #use(stage: Stage, remove: () => void): void {
    this.#stages.delete(stage);
    this.#stages.set(stage, remove);
  }

  #dropOldest(running: readonly Stage[]): void {
    for (const stage of this.#stages.keys()) {
      if (running.includes(stage)) continue;
      this.#drop(stage);
      return;
    }
  }

  /** Drops a stage and those that follow it. */
  #drop(stage: Stage): void {
    const remove = this.#stages.get(stage);
    if (!remove) return;
    remove();
    this.#stages.delete(stage);
    for (const next of [...(stage.rest?.cache.values() ?? [])]) this.#drop(next);
    this.free(stage);
  }
}
