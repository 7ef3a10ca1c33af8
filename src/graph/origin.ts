/** A node as the model's file has it: its index among the nodes of its graph there. */
export interface Origin {
  /** -1 in a function's body: the call itself. */
  readonly index: number;
  readonly place: Place;
}

/** A graph of the file. Every graph, and every function, has one object. */
export interface Place {
  /** The node that holds it by an attribute, or calls the function whose body it is; null of the model's graph, and of functions as they are defined. */
  readonly holder: Origin | null;
  /** '' of a function's body; behind it, in a list of graphs, the position: `branches/1`. */
  readonly attribute: string;
}

/** The model's nodes that a node has come of; the same array serves many nodes. */
export type Origins = readonly Origin[];
