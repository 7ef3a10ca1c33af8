/**
 * How far the graph is rewritten before it runs; `disabled` runs it operator by operator as the model says it. Up to `extended` results of
 * float16 and bfloat16 are rounded behind every node, beyond that where they leave the graph.
 */
export type OptimizationLevel = 'disabled' | 'basic' | 'extended' | 'layout' | 'all';

/** What a session may ask of its graph. */
export interface OptimizeOptions {
  /** Default `all`. */
  readonly graphOptimizationLevel?: OptimizationLevel;
  /** Stops the optimizer after so many rewrites: bisects a wrong one. */
  readonly maxRewrites?: number;
  /** Notes also which rewrites were refused and why; read with `session.rewrites`. */
  readonly explainRewrites?: boolean;
  /** Sizes for dimensions that the model leaves open, by their symbol. */
  readonly freeDimensionOverrides?: Readonly<Record<string, number>>;
  /** Values inside the graph, by their names in the model, that the session gives out beside the model's outputs. */
  readonly extraOutputs?: readonly string[];
  /** Lets a symbol be of another size in each place, as onnxruntime does; a few rewrites know less then. */
  readonly looseSymbols?: boolean;
  /** Lets inputs that are declared as scalars be of any shape, as onnxruntime does; rewrites know less of what depends on them. */
  readonly looseScalars?: boolean;
}
