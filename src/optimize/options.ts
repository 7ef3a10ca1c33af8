/**
 * How far the graph is optimized before it runs. `disabled` runs the model's own nodes. Up to `extended`, results in float16 and bfloat16 are
 * rounded after every node; beyond that, only where they leave the graph.
 */
export type OptimizationLevel = 'disabled' | 'basic' | 'extended' | 'layout' | 'all';

/** What a session requires of its graph. */
export interface OptimizeOptions {
  /** Default `all`. */
  readonly graphOptimizationLevel?: OptimizationLevel;
  /** Stops the optimizer after this number of rewrites, to bisect a wrong one. */
  readonly maxRewrites?: number;
  /** Also records which rewrites did not apply and why; see `session.rewrites`. */
  readonly explainRewrites?: boolean;
  /** Sizes for dimensions that the model leaves open, by their symbol. */
  readonly freeDimensionOverrides?: Readonly<Record<string, number>>;
  /** Intermediate values, by their names in the model, that the session returns as well as the outputs. */
  readonly extraOutputs?: readonly string[];
  /** Lets a symbol be of another size in each place, as onnxruntime does; a few rewrites know less then. */
  readonly looseSymbols?: boolean;
  /** Lets inputs that are declared as scalars be of any shape, as onnxruntime does; rewrites know less of what depends on them. */
  readonly looseScalars?: boolean;
}
