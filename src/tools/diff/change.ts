/** What of a model is another. */
export type ChangedPart =
  /** A field of the model, of a graph, of a function or of a node. */
  | 'field'
  | 'opset'
  | 'metadata'
  | 'input'
  | 'output'
  | 'weight'
  | 'node'
  | 'attribute'
  /** What is said of the type of a value inside. */
  | 'type'
  | 'function';

/** How far the contents of two tensors of one type and shape are apart. */
export interface WeightDifference {
  /** Elements that differ. */
  readonly count: number;
  readonly of: number;
  /** The largest |after − before|; NaN where one of both is, or where they are strings. */
  readonly maxAbs: number;
}

export interface Change {
  readonly part: ChangedPart;
  readonly change: 'added' | 'removed' | 'changed' | 'renamed' | 'moved';
  /** The graph or function it is in: `graph`, `graph.If "x".then_branch`, `function local.twice`; empty for the model itself. */
  readonly path: string;
  readonly name: string;
  /** What it was, in ONNX's text; larger tensors without their elements. */
  readonly before?: string;
  readonly after?: string;
  /** Of tensors that differ in their contents alone. */
  readonly weights?: WeightDifference;
}
