/** The placement of one value in the arena, and its lifetime in steps. */
export interface PlacedValue {
  /** The value's name in the optimized graph. */
  readonly name: string;
  /** Its offset in bytes from the start of the arena. */
  readonly offset: number;
  /** Its size in bytes. */
  readonly bytes: number;
  /** The first step that uses it, from 0. */
  readonly first: number;
  /** The last step that uses it. */
  readonly last: number;
  /** The model's nodes that its node computes, as in `StepTiming`; empty for feeds. */
  readonly origins: readonly string[];
}

/** Memory that one or more values occupy, in turn or as views, or that a node uses as scratch. */
export interface PlacedBuffer extends Omit<PlacedValue, 'name'> {
  /** Names of the values in it; empty for scratch. */
  readonly values: readonly string[];
}

/** The arena of the last run, in bytes; that of the largest stage if shapes depend on computed data. */
export interface MemoryPlan {
  /** The required size of the arena. */
  readonly peak: number;
  /** The largest total size of values alive at one time; no placement needs less. */
  readonly lowerBound: number;
  /** Values in the arena. Views share the memory of their buffer; scratch has no values. */
  readonly values: readonly PlacedValue[];
  /** All placed buffers; no two overlap in both space and time. */
  readonly buffers: readonly PlacedBuffer[];
  /**
   * The number of steps in the stage, as in a profile. `first` and `last` count from 1; 0 is before the first step,
   * `steps` + 1 after the last.
   */
  readonly steps: number;
  /** The whole linear memory, weights and programs included. */
  readonly linearMemory: number;
}
