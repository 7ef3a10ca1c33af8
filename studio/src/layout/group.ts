/** A module under construction. Nodes are in topological order. Blocks and parts get their paths at the end. */
export interface Group {
  /** '' for a block: it is numbered among its like. */
  readonly title: string;
  readonly path: string | undefined;
  readonly nodes: readonly number[];
  readonly groups: readonly Group[];
}

export function* nodesIn(group: Group): Generator<number> {
  yield* group.nodes;
  for (const inner of group.groups) yield* nodesIn(inner);
}
