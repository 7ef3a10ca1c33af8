/** Where one value lies in the arena, and from which to which step its memory is its own. */
export interface PlacedValue {
  /** The value's name in the optimized graph. */
  readonly name: string;
  /** Where it begins, in bytes from the beginning of the buffer. */
  readonly offset: number;
  /** Its size in bytes. */
  readonly bytes: number;
  /** The first step that uses it, from 0. */
  readonly first: number;
  /** The last step that uses it. */
  readonly last: number;
  /** The model's nodes that its node computes, as in `StepTiming`; none of what is fed. */
  readonly origins: readonly string[];
}

/** Memory that one or several values share in turn or see in part, or a node needs while it works. */
export interface PlacedBuffer extends Omit<PlacedValue, 'name'> {
  /** Names of the values in it; none in what a node needs while it works. */
  readonly values: readonly string[];
}

/** The arena of the last run, in bytes. Where shapes depend on computed data, that of its largest stage. */
export interface MemoryPlan {
  /** The size that the arena needs. */
  readonly peak: number;
  /** The largest sum of values alive at one time: no placement can need less. */
  readonly lowerBound: number;
  /** Values in the arena; views of one buffer lie in one place, and temporaries have no value of their own. */
  readonly values: readonly PlacedValue[];
  /** All that is placed: no two overlap in space and time. */
  readonly buffers: readonly PlacedBuffer[];
  /** Steps of the stage, which `first` and `last` count from 1 on, as a profile lists them; 0 is before, `steps` + 1 behind them. */
  readonly steps: number;
  /** The whole linear memory, weights and programs included. */
  readonly linearMemory: number;
}
