/**
 * One graph of a model (the main one, a subgraph, a function's body) as the page sees it: columns instead of objects, so that a
 * hundred thousand nodes pass between threads without a long task. Names and types are indices into `strings`; 0 is ''.
 */
export interface Outline {
  /** `''` for the main graph, else the path of nodes and attributes to it: `12/body`, `function/DOMAIN:NAME`, or `training/algorithm`. */
  readonly path: string;
  readonly strings: readonly string[];
  /** Classes of scopes by path, if an exporter records them: `encoder/layers/0` is a `BertLayer`. */
  readonly classes?: ReadonlyMap<string, string>;
  readonly nodes: NodeColumns;
  readonly values: ValueColumns;
  /** The graph's inputs, except initializers, and its outputs. */
  readonly inputs: Int32Array;
  readonly outputs: Int32Array;
}

export interface NodeColumns {
  readonly count: number;
  readonly name: Int32Array;
  readonly operator: Int32Array;
  readonly domain: Int32Array;
  /** The node's place in the model, `encoder/layers/0/mlp`, from names or exporter metadata; '' if unknown. */
  readonly scope: Int32Array;
  /** Index into CATEGORIES, which determines the colour. */
  readonly category: Uint8Array;
  readonly flags: Uint8Array;
  /** Operands of all nodes, concatenated; -1 for an omitted one. Those of node i are from start[i] to start[i + 1]. */
  readonly inputs: Ragged;
  readonly outputs: Ragged;
  /** Values of outer graphs read by its subgraphs, by name in the outer graph. */
  readonly captured: Ragged;
}

export interface ValueColumns {
  readonly count: number;
  readonly name: Int32Array;
  /** `float32[batch, 128]`; 0 while unknown. Updated once shapes are inferred. */
  readonly type: Int32Array;
  /** The node that produces the value, or -1. */
  readonly producer: Int32Array;
  readonly flags: Uint8Array;
}

export interface Ragged {
  readonly start: Int32Array;
  readonly values: Int32Array;
}

/** Marks nodes that are drawn only on demand or that can be entered. */
export const NodeFlag = { constant: 1, identity: 2, shapeOnly: 4, hasSubgraphs: 8, isFunctionCall: 16 } as const;
export const ValueFlag = { input: 1, output: 2, initializer: 4, constant: 8, shapeOnly: 16, captured: 32 } as const;

/** Operator categories, following ONNX's own groups; each has a theme colour. */
export const CATEGORIES = [
  'other',
  'product',
  'normalization',
  'activation',
  'pool',
  'arithmetic',
  'reduction',
  'shape',
  'quantization',
  'control',
  'input',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Identifies a node in the model, as in the `origins` of steps: the path of its graph and its index in it, `12` or `12/body/3`. */
export const nodeId = (path: string, index: number): string => (path ? `${path}/${index}` : `${index}`);
