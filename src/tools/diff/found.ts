import type { NodeProto } from '../../../build/onnx.js';

/** The nodes that have been paired so far. */
export interface Found {
  readonly pairs: Map<NodeProto, NodeProto>;
  readonly taken: Set<NodeProto>;
}

/** Returns the key of a node; undefined or empty if it has none. */
export type Key = (node: NodeProto) => string | number | undefined;

/** A value for each of both bodies. */
export type Both<T> = readonly [T, T];

export function pair({ pairs, taken }: Found, left: NodeProto, right: NodeProto): void {
  pairs.set(left, right);
  taken.add(right);
}

/**
 * Pairs unpaired nodes whose key is unique on both sides. With `manyToo`, it also pairs equally many nodes with the
 * same key in order.
 */
export function pairBy(
  found: Found,
  [a, b]: Both<readonly NodeProto[]>,
  [left, right]: Both<Key>,
  manyToo = false,
): void {
  const open = grouped(
    b.filter((node) => !found.taken.has(node)),
    right,
  );
  for (const [key, nodes] of grouped(
    a.filter((node) => !found.pairs.has(node)),
    left,
  )) {
    const others = open.get(key);
    if (others?.length !== nodes.length || (nodes.length > 1 && !manyToo)) continue;
    for (const [i, node] of nodes.entries()) pair(found, node, others[i] as NodeProto);
  }
}

function grouped(nodes: readonly NodeProto[], key: Key): Map<string | number, NodeProto[]> {
  const groups = new Map<string | number, NodeProto[]>();
  for (const node of nodes) {
    const text = key(node);
    if (!text) continue;
    const group = groups.get(text);
    if (group) group.push(node);
    else groups.set(text, [node]);
  }
  return groups;
}
