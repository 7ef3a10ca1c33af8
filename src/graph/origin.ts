/** A node of the model's file, by its index among the nodes of its graph there. */
export interface Origin {
  /** -1 for the call itself, in a function's body. */
  readonly index: number;
  readonly place: Place;
}

/** A graph of the file; one object for each graph and each function. */
export interface Place {
  /**
   * The node that has it as an attribute, or calls the function whose body it is; null for the model's graph and for
   * functions as defined.
   */
  readonly holder: Origin | null;
  /** '' for a function's body; in a list of graphs, followed by the position: `branches/1`. */
  readonly attribute: string;
}

/** The model's nodes that a node comes from; many nodes may share one array. */
export type Origins = readonly Origin[];
