/**
 * One graph of a model (the main one, a subgraph, a function's body) as the page sees it: columns instead of objects, so that a
 * hundred thousand nodes pass between threads without a long task. Names and types are indices into `strings`; 0 is ''.
 */
export interface Outline {
  /** `''` for the model's graph, else the path of nodes and attributes that leads there: `12/body`, `function/DOMAIN:NAME`, or `training/algorithm`. */
  readonly path: string;
  readonly strings: readonly string[];
  /** Classes of scopes, by path, where an exporter says them: `encoder/layers/0` is a `BertLayer`. */
  readonly classes?: ReadonlyMap<string, string>;
  readonly nodes: NodeColumns;
  readonly values: ValueColumns;
  /** Values that the graph is fed, initializers excepted, and those that it gives. */
  readonly inputs: Int32Array;
  readonly outputs: Int32Array;
}

export interface NodeColumns {
  readonly count: number;
  readonly name: Int32Array;
  readonly operator: Int32Array;
  readonly domain: Int32Array;
  /** Its place in the model, `encoder/layers/0/mlp`, from names or exporters' metadata; '' where nothing says. */
  readonly scope: Int32Array;
  /** Index into CATEGORIES, which gives its colour. */
  readonly category: Uint8Array;
  readonly flags: Uint8Array;
  /** Operands of all nodes, one after the other; -1 stands for one left out. Those of node i are from start[i] to start[i + 1]. */
  readonly inputs: Ragged;
  readonly outputs: Ragged;
  /** Values of outer graphs that its subgraphs read, by name in the outer graph. */
  readonly captured: Ragged;
}

export interface ValueColumns {
  readonly count: number;
  readonly name: Int32Array;
  /** `float32[batch, 128]`; 0 while nothing is known. Filled again once shapes are inferred. */
  readonly type: Int32Array;
  /** The node that makes it, or -1. */
  readonly producer: Int32Array;
  readonly flags: Uint8Array;
}

export interface Ragged {
  readonly start: Int32Array;
  readonly values: Int32Array;
}

/** What is drawn only on demand, and what can be entered. */
export const NodeFlag = { constant: 1, identity: 2, shapeOnly: 4, hasSubgraphs: 8, isFunctionCall: 16 } as const;
export const ValueFlag = { input: 1, output: 2, initializer: 4, constant: 8, shapeOnly: 16, captured: 32 } as const;

/** What operators are about, by ONNX's own groups; each has a colour of the theme. */
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

/** A node of the model, the same in steps' `origins`: its index in its graph behind the path of that graph, `12` or `12/body/3`. */
export const nodeId = (path: string, index: number): string => (path ? `${path}/${index}` : `${index}`);
