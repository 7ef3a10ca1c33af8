/** The search index: a row for each node, value and weight in all graphs of a model. Texts are indices into `strings`; 0 is ''. */
export interface SearchIndex {
  /** Paths of the graphs. */
  readonly graphs: readonly string[];
  readonly strings: readonly string[];
  readonly kind: Uint8Array;
  readonly graph: Int32Array;
  /** The index in the outline of the graph. */
  readonly subject: Int32Array;
  readonly name: Int32Array;
  /** '' for values. */
  readonly operator: Int32Array;
  /** '' for nodes. */
  readonly type: Int32Array;
  /** A node's attributes as lines such as `name=3, 3`. */
  readonly attributes: Int32Array;
}

export const KINDS = ['node', 'value', 'weight'] as const;
export type Kind = (typeof KINDS)[number];
