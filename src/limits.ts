/** Limits of a session, beyond which it fails with code LIMIT. Absent ones do not limit, except `nodes`. */
export interface Limits {
  /** Memory for the model, its weights, plans and all values, in JavaScript and in linear memory. */
  readonly memoryBytes?: number;
  /** Nodes of the graph, including those of subgraphs and of functions at each call; default 262,144. */
  readonly nodes?: number;
  /** Time for `create`, and for each run from its start, which may be later than its call. */
  readonly milliseconds?: number;
}

/** Limits of one run that are lower than those of the session. */
export type RunLimits = Omit<Limits, 'nodes'>;

/** The place where a limit was set. */
export type LimitedBy = 'create' | 'run' | 'default';
