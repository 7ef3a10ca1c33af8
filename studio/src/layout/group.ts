/** A module while modules are being made. Nodes are in topological order. */
export interface Group {
  readonly title: string;
  readonly path: string;
  readonly nodes: readonly number[];
  readonly groups: readonly Group[];
}

export function* nodesIn(group: Group): Generator<number> {
  yield* group.nodes;
  for (const inner of group.groups) yield* nodesIn(inner);
}
