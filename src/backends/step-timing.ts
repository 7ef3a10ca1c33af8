/** One timed step of a run: a kernel launch, or an operator on the host. */
export interface StepTiming {
  /** Its node's name; the names of several nodes if the backend runs them as a whole. */
  readonly node: string;
  /** The node's operator, such as `Conv`. */
  readonly operator: string;
  /** The model's nodes that it computes, by index: `12`; `12/body/3` in a subgraph; `12/3` in a called function. */
  readonly origins: readonly string[];
  /** The backend that ran it: `wasm`, or another execution provider. */
  readonly provider: string;
  /** The kernel's name, or `host`. */
  readonly kernel: string;
  /** The index of the run since profiling began, from 0. */
  readonly run: number;
  /** Milliseconds from the start of the run to the start of the step. */
  readonly start: number;
  /** How long the step took. */
  readonly milliseconds: number;
  /** The number of parts of the step that threads can share; 1 on the host. */
  readonly tiles: number;
  /** The threads that worked on it; only one if it is not shared. */
  readonly threads: readonly ThreadTiming[];
  /**
   * Bytes of the tensors that it reads, weights included, and writes. The steps of a node divide its bytes in
   * proportion to time.
   */
  readonly bytes: number;
  /** Multiply-adds, divided likewise; null if the number depends on data, or only the backend knows it. */
  readonly multiplyAdds: number | null;
}

/** The part of a step that one thread did. */
export interface ThreadTiming {
  /** 0 is the thread that runs the session; others are numbered from 1. */
  readonly thread: number;
  /** Milliseconds from the start of the run to the start of its first tile. */
  readonly start: number;
  /** Milliseconds from there to the end of its last tile. */
  readonly milliseconds: number;
  /** The number of tiles that the thread computed. */
  readonly tiles: number;
}
