/** How much a session may take before it fails with the code LIMIT. What is left out is not limited, but for `nodes`. */
export interface Limits {
  /** Memory for the model, its weights, plans, and values of all kinds, on the host and in linear memory. */
  readonly memoryBytes?: number;
  /** Nodes of the graph, those of functions where they are called and of subgraphs included; default 262,144. */
  readonly nodes?: number;
  /** Time for `create`, and for each run from its start, which may be later than its call. */
  readonly milliseconds?: number;
}

/** Limits of one run that are lower than those of the session. */
export type RunLimits = Omit<Limits, 'nodes'>;

/** Where a limit was set. */
export type LimitedBy = 'create' | 'run' | 'default';
