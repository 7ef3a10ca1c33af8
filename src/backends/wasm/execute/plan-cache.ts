import type { Stage, Variants } from '../plan/stage.js';

/** The limit on stages kept for one graph, as `bytesOf` counts them: some 100 shapes of a network of 100 steps. */
const DEFAULT_BYTES = 32 << 20;

/** An LRU cache of the stages planned for one graph, with a limit in bytes. */
export class PlanCache {
  /** In the order of their last use, with the variants that each belongs to, and its key among them. */
  readonly #stages = new Map<Stage, { readonly variants: Variants; readonly key: string }>();
  #bytes = 0;

  constructor(
    private readonly isInUse: (stage: Stage) => boolean,
    private readonly free: (stage: Stage) => void,
    private readonly maxBytes = DEFAULT_BYTES,
  ) {}

  add(variants: Variants, key: string, stage: Stage): void {
    variants.stages.set(key, stage);
    variants.latest = stage;
    variants.isTraced = false;
    this.#stages.set(stage, { variants, key });
    this.#bytes += bytesOf(stage);
    if (this.#bytes > this.maxBytes) this.#shrink();
  }

  /** Marks a stage as the one used last. */
  use(stage: Stage): void {
    const place = this.#stages.get(stage);
    if (!place) return;
    this.#stages.delete(stage);
    this.#stages.set(stage, place);
  }

  clear(): void {
    for (const stage of [...this.#stages.keys()]) this.drop(stage);
  }

  #shrink(): void {
    for (const [stage, { variants }] of [...this.#stages]) {
      if (this.#bytes <= this.maxBytes) return;
      if (stage !== variants.latest && !this.isInUse(stage)) this.drop(stage);
    }
  }

  /** Drops a stage and those that follow it. */
  drop(stage: Stage): void {
    const place = this.#stages.get(stage);
    if (!place) return;
    const { variants, key } = place;
    variants.stages.delete(key);
    variants.movable = variants.movable.filter((each) => each !== stage);
    if (variants.latest === stage) variants.latest = undefined;
    this.#stages.delete(stage);
    this.#bytes -= bytesOf(stage);
    this.dropAll(stage.rest?.variants);
    this.free(stage);
  }

  dropAll(variants: Variants | undefined): void {
    for (const stage of [...(variants?.stages.values() ?? [])]) this.drop(stage);
  }
}

/** Heap bytes per step of a stage. */
const STEP_BYTES = 2000;

/** The size of a stage in linear memory and, approximately, on the heap. */
const bytesOf = ({ program, contentsBytes }: Stage): number =>
  program.bytes + program.constants.bytes + contentsBytes + program.steps * STEP_BYTES;
