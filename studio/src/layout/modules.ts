import type { Outline } from '../graph/outline.js';
import type { Modules } from '../graph/picture.js';
import { add, at } from './columns.js';
import type { Group } from './group.js';
import { regroup } from './groups.js';
import { nodeScopes, scopeTree } from './scopes.js';
import { structures } from './structure.js';
import { topologicalOrder } from './topological-order.js';

/** The modules of an outline; deterministic. */
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
  const title: string[] = [];
  const path: string[] = [];
  const ofNode = new Int32Array(outline.nodes.count).fill(-1);
  const uniquePath = uniquePaths();
  const visit = (inner: readonly Group[], parent: number) => {
    let blocks = 0;
    for (const group of inner) {
      const index = groups.push(group) - 1;
      parents.push(parent);
      title.push(group.title === '' ? `block ${++blocks}` : group.title);
      const around = parent < 0 ? '' : `${path[parent]}/`;
      path.push(uniquePath(group.path ?? `${around}${title[index]}`));
      for (const node of group.nodes) ofNode[node] = index;
      visit(group.groups, index);
    }
  };
  visit(root.groups, -1);
  const parent = Int32Array.from(parents);
  const alike = Int32Array.from(groups, numberOf);
  return { count: groups.length, parent, title, path, size: sizes(groups, parent), alike, ofNode };
}

function sizes(groups: readonly Group[], parent: Int32Array): Int32Array {
  const size = Int32Array.from(groups, ({ nodes }) => nodes.length);
  for (let i = groups.length - 1; i >= 0; i--) if (at(parent, i) >= 0) add(size, at(parent, i), at(size, i));
  return size;
}

/** Runs of one scope share its path, followed by the number of the run. */
function uniquePaths(): (path: string) => string {
  const seen = new Set<string>();
  return (path) => {
    let unique = path;
    for (let run = 2; seen.has(unique); run++) unique = `${path}#${run}`;
    seen.add(unique);
    return unique;
  };
}
