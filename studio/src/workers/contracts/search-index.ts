/** What is searched: a row for each node, value and weight of all graphs of a model. Texts are indices into `strings`; 0 is ''. */
export interface SearchIndex {
  /** Paths of the graphs. */
  readonly graphs: readonly string[];
  readonly strings: readonly string[];
  readonly kind: Uint8Array;
  readonly graph: Int32Array;
  /** Its index in the outline of its graph. */
  readonly subject: Int32Array;
  readonly name: Int32Array;
  /** Of a node; '' of values. */
  readonly operator: Int32Array;
  /** Of a value; '' of nodes. */
  readonly type: Int32Array;
  /** Lines `name=3, 3` of a node's attributes. */
  readonly attributes: Int32Array;
}

export const KINDS = ['node', 'value', 'weight'] as const;
export type Kind = (typeof KINDS)[number];
