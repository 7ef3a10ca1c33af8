/**
 * Level of graph optimization. `disabled` runs the model's own nodes. Up to `extended`, results in float16 and bfloat16 are rounded after
 * each node; at higher levels only where they leave the graph.
 */
export type OptimizationLevel = 'disabled' | 'basic' | 'extended' | 'layout' | 'all';

/** Options for a session's graph. */
export interface OptimizeOptions {
  /** Default `all`. */
  readonly graphOptimizationLevel?: OptimizationLevel;
  /** Stops the optimizer after this number of rewrites, to bisect a wrong one. */
  readonly maxRewrites?: number;
  /** Also records which rewrites did not apply and why; see `session.rewrites`. */
  readonly explainRewrites?: boolean;
  /** Sizes of dynamic dimensions, by name. */
  readonly freeDimensionOverrides?: Readonly<Record<string, number>>;
  /** Intermediate values, by their names in the model, that the session returns in addition to the outputs. */
  readonly extraOutputs?: readonly string[];
  /** Allows a dimension name to mean different sizes in different places, as onnxruntime does. A few rewrites then do not apply. */
  readonly looseSymbols?: boolean;
  /**
   * Allows inputs that are declared as scalars to have any shape, as onnxruntime does. Rewrites of nodes that depend on them may not apply.
   */
  readonly looseScalars?: boolean;
}
