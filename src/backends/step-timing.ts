/** One timed step of a run: a kernel launch, or an operator on the host. */
export interface StepTiming {
  /** Its name; of a part that its backend runs as a whole, the names. */
  readonly node: string;
  /** The node's operator, such as `Conv`. */
  readonly operator: string;
  /**
   * The nodes of the model's file that it computes, by index: `12`; in a subgraph `12/body/3`; in a function that is called `12/3`.
   */
  readonly origins: readonly string[];
  /** The backend that ran it: `wasm`, or another execution provider. */
  readonly provider: string;
  /** The kernel's name, or `host`. */
  readonly kernel: string;
  /** Which of the runs since profiling began, from 0 on. */
  readonly run: number;
  /** Milliseconds from the run's beginning to the step's. */
  readonly start: number;
  /** How long the step took. */
  readonly milliseconds: number;
  /** Parts of the step that threads can share; 1 on the host. */
  readonly tiles: number;
  /** The threads that worked on it; one where it is not shared. */
  readonly threads: readonly ThreadTiming[];
  /** Bytes of the tensors that it reads, weights included, and writes. Of a node that takes several steps each has its share, by time. */
  readonly bytes: number;
  /** Multiplications with addition, shared likewise; null where the number depends on data, or only the backend knows it. */
  readonly multiplyAdds: number | null;
}

/** The part of a step that one thread did. */
export interface ThreadTiming {
  /** 0 is the thread that runs the session; others are numbered from 1 on. */
  readonly thread: number;
  /** Milliseconds from the run's beginning until it had its first part of the step. */
  readonly start: number;
  /** From there to the end of its last. */
  readonly milliseconds: number;
  /** How many tiles of the step's work the thread computed. */
  readonly tiles: number;
}
