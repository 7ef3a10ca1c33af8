import type { Outline } from '../graph/outline.js';
import { at, bit, nth } from './columns.js';
import { forProducers } from './edges.js';
import { isFolded } from './folding.js';
import { type Group, nodesIn } from './group.js';

/** The items of a group (nodes and inner groups), each after those it reads, otherwise in file order. */
export interface Sequence {
  readonly items: readonly (number | Group)[];
  /** The items that each one reads, by place. */
  readonly reads: readonly (readonly number[])[];
}

/** `itemOf` is scratch space, one entry per node, all -1 before and after. */
export function sequenceOf(outline: Outline, group: Group, itemOf: Int32Array): Sequence {
  const isDrawn = (node: number) => !isFolded(bit(outline.nodes.flags, node));
  const drawn = group.nodes.filter(isDrawn);
  const members = [...drawn.map((node) => [node]), ...group.groups.map((inner) => [...nodesIn(inner)].filter(isDrawn))];
  const items = [...drawn, ...group.groups];
  members.forEach((nodes, i) => {
    for (const node of nodes) itemOf[node] = i;
  });
  const reads = members.map((nodes, i) => readsOf(outline, nodes, i, itemOf));
  for (const nodes of members) for (const node of nodes) itemOf[node] = -1;
  const firsts = members.map((nodes) => nodes.reduce((least, node) => Math.min(least, node), Number.POSITIVE_INFINITY));
  const order = inOrder(firsts, reads);
  const place = new Int32Array(items.length);
  order.forEach((item, i) => {
    place[item] = i;
  });
  return {
    items: order.map((item) => items[item] as number | Group),
    reads: order.map((item) => (reads[item] ?? []).map((read) => at(place, read))),
  };
}

function readsOf(outline: Outline, nodes: readonly number[], item: number, itemOf: Int32Array): number[] {
  const reads = new Set<number>();
  for (const node of nodes)
    forProducers(outline, node, (producer) => {
      const other = at(itemOf, producer);
      if (other >= 0 && other !== item) reads.add(other);
    });
  return [...reads];
}

function inOrder(firsts: readonly number[], reads: readonly (readonly number[])[]): number[] {
  const roots = firsts.map((_, i) => i).sort((a, b) => nth(firsts, a) - nth(firsts, b));
  const state = new Uint8Array(firsts.length);
  const order: number[] = [];
  const stack: { item: number; next: number }[] = [];
  for (const root of roots) {
    if (state[root]) continue;
    state[root] = 1;
    stack.push({ item: root, next: 0 });
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const read = reads[top.item]?.[top.next++];
      if (read === undefined) {
        order.push(top.item);
        stack.pop();
      } else if (!state[read]) {
        state[read] = 1;
        stack.push({ item: read, next: 0 });
      }
    }
  }
  return order;
}
