/** A part of a model that can differ. */
export type ChangedPart =
  /** A field of the model, a graph, a function or a node. */
  | 'field'
  | 'opset'
  | 'metadata'
  | 'input'
  | 'output'
  | 'weight'
  | 'node'
  | 'attribute'
  /** The declared type of an intermediate value. */
  | 'type'
  | 'function';

/** The numeric difference of two tensors with the same type and shape. */
export interface WeightDifference {
  /** The number of elements that differ. */
  readonly count: number;
  /** The number of elements. */
  readonly of: number;
  /** The largest |after − before|; NaN if an element is NaN or a string. */
  readonly maxAbs: number;
}

/** A difference between two models. */
export interface Change {
  /** The part of the model that differs. */
  readonly part: ChangedPart;
  /** The kind of difference. */
  readonly change: 'added' | 'removed' | 'changed' | 'renamed' | 'moved';
  /**
   * The graph or function of the part: `graph`, `graph.If "x".then_branch`, `function local.twice`; empty for the model
   * itself.
   */
  readonly path: string;
  /** The name of the part. */
  readonly name: string;
  /** The part in the first model, as ONNX text. Elements of larger tensors are omitted. */
  readonly before?: string;
  /** The part in the second model, as ONNX text. */
  readonly after?: string;
  /** The numeric difference of two tensors with the same type and shape. */
  readonly weights?: WeightDifference;
}
