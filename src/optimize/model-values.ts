import type { Graph, Value } from '../graph/graph.js';

/** Values that the nodes of a model's own graph compute. Rewriting keeps only some of them. */
export interface ModelValues {
  /** In node order; values of a function's body follow the name of its call. */
  readonly names: readonly string[];
  has(value: Value): boolean;
}

/** Records the values before a graph is rewritten. Values are held weakly, so that removed ones free their memory. */
export function modelValuesOf({ nodes }: Graph): ModelValues {
  const values = nodes.flatMap(({ outputs }) => outputs).filter((value) => value !== null);
  const own = new WeakSet(values);
  return { names: values.map(({ name }) => name), has: (value) => own.has(value) };
}
