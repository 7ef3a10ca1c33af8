import type { NodeProto } from '../../../build/onnx.js';

/** Nodes that have found each other so far. */
export interface Found {
  readonly pairs: Map<NodeProto, NodeProto>;
  readonly taken: Set<NodeProto>;
}

/** What a node is known by; nothing where that says nothing. */
export type Key = (node: NodeProto) => string | number | undefined;

/** Of the one body, and of the other. */
export type Both<T> = readonly [T, T];

export function pair({ pairs, taken }: Found, left: NodeProto, right: NodeProto): void {
  pairs.set(left, right);
  taken.add(right);
}

/** Pairs the free nodes that alone have a key on both sides; where `manyToo`, as many as have it, in their order. */
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
