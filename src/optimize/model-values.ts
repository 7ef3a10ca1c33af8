import type { Graph, Value } from '../graph/graph.js';

/** What the nodes of a model's own graph compute, of which rewriting leaves a part. */
export interface ModelValues {
  /** In the order of the nodes; those of a function's body behind the name of its call. */
  readonly names: readonly string[];
  has(value: Value): boolean;
}

/** Taken down before a graph is rewritten. Values are not held: with those that go, so does what they hold. */
export function modelValuesOf({ nodes }: Graph): ModelValues {
  const values = nodes.flatMap(({ outputs }) => outputs).filter((value) => value !== null);
  const own = new WeakSet(values);
  return { names: values.map(({ name }) => name), has: (value) => own.has(value) };
}
