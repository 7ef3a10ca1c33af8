/** Where one value lies in the arena, and from which to which step its memory is its own. */
export interface PlacedValue {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
  readonly first: number;
  readonly last: number;
}

/** The arena of the last run, in bytes. Where shapes depend on computed data, that of its largest stage. */
export interface MemoryPlan {
  /** What the arena needs. */
  readonly peak: number;
  /** The largest sum of values alive at one time: no placement can need less. */
  readonly lowerBound: number;
  /** Values in the arena; views of one buffer lie in one place, and temporaries have no value of their own. */
  readonly values: readonly PlacedValue[];
  /** The whole linear memory, weights and programs included. */
  readonly linearMemory: number;
}
