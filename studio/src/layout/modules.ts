import type { Outline } from '../graph/outline.js';
import type { Modules } from '../graph/picture.js';
import { add, at } from './columns.js';
import type { Group } from './group.js';
import { regroup } from './groups.js';
import { nodeScopes, scopeTree } from './scopes.js';
import { structures } from './structure.js';
import { topologicalOrder } from './topological-order.js';

/** The modules of an outline; the same for the same outline. */
export function modulesOf(outline: Outline): Modules {
  const order = topologicalOrder(outline);
  const tree = scopeTree(outline);
  const scopes = nodeScopes(outline, tree, order);
  const numberOf = structures(outline);
  return numbered(outline, regroup(outline, tree, scopes, order, numberOf), numberOf);
}

function numbered(outline: Outline, root: Group, numberOf: (group: Group) => number): Modules {
  const groups: Group[] = [];
  const parents: number[] = [];
  const ofNode = new Int32Array(outline.nodes.count).fill(-1);
  const stack: { group: Group; parent: number }[] = root.groups.map((group) => ({ group, parent: -1 })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { group, parent } = next;
    const index = groups.push(group) - 1;
    parents.push(parent);
    for (const node of group.nodes) ofNode[node] = index;
    for (const inner of [...group.groups].reverse()) stack.push({ group: inner, parent: index });
  }
  const parent = Int32Array.from(parents);
  return {
    count: groups.length,
    parent,
    title: groups.map(({ title }) => title),
    path: uniquePaths(groups),
    size: sizes(groups, parent),
    alike: Int32Array.from(groups, numberOf),
    ofNode,
  };
}

function sizes(groups: readonly Group[], parent: Int32Array): Int32Array {
  const size = Int32Array.from(groups, ({ nodes }) => nodes.length);
  for (let i = groups.length - 1; i >= 0; i--) if (at(parent, i) >= 0) add(size, at(parent, i), at(size, i));
  return size;
}

/** Runs of one scope have its path with the number of the run. */
function uniquePaths(groups: readonly Group[]): string[] {
  const seen = new Set<string>();
  return groups.map(({ path }) => {
    let unique = path;
    for (let run = 2; seen.has(unique); run++) unique = `${path}#${run}`;
    seen.add(unique);
    return unique;
  });
}
