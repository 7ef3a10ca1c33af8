import { NodeFlag, type Outline } from '../graph/outline.js';
import { at, bit } from './columns.js';

/** Scopes as a tree with the root at 0; parents precede their children. */
export interface ScopeTree {
  readonly parent: number[];
  readonly depth: number[];
  readonly title: string[];
  readonly path: string[];
  /** By index into the outline's strings. */
  readonly ofString: Map<number, number>;
}

/** Deeper levels are merged into the last one's name. */
const DEEPEST = 40;

export function scopeTree({ strings, nodes, classes }: Outline): ScopeTree {
  const tree: ScopeTree = { parent: [-1], depth: [0], title: [''], path: [''], ofString: new Map([[0, 0]]) };
  const known = new Map<string, number>();
  for (const scope of nodes.scope) {
    if (tree.ofString.has(scope)) continue;
    const parts = (strings[scope] ?? '').split('/');
    let place = 0;
    for (let i = 0; i < parts.length; i++) {
      const isLast = i === DEEPEST;
      const path = isLast ? parts.join('/') : parts.slice(0, i + 1).join('/');
      place = known.get(path) ?? add(place, path, (isLast ? parts.slice(i).join('/') : parts[i]) ?? '');
      if (isLast) break;
    }
    tree.ofString.set(scope, place);
  }
  return tree;

  function add(parent: number, path: string, name: string): number {
    const type = classes?.get(path);
    const place = tree.parent.push(parent) - 1;
    tree.depth.push((tree.depth[parent] ?? 0) + 1);
    tree.title.push(type ? `${name}: ${type}` : name);
    tree.path.push(path);
    known.set(path, place);
    return place;
  }
}

/** The scope of each node. Constants and identities without one get the common scope of their readers. */
export function nodeScopes(outline: Outline, tree: ScopeTree, order: Int32Array): Int32Array {
  const { nodes, values } = outline;
  const scopes = Int32Array.from(nodes.scope, (scope) => tree.ofString.get(scope) ?? 0);
  const common = new Int32Array(nodes.count).fill(-1);
  for (let i = order.length - 1; i >= 0; i--) {
    const node = at(order, i);
    const isMovable = (bit(nodes.flags, node) & (NodeFlag.constant | NodeFlag.identity)) !== 0;
    if (isMovable && at(scopes, node) === 0 && at(common, node) >= 0) scopes[node] = at(common, node);
    for (let k = at(nodes.inputs.start, node); k < at(nodes.inputs.start, node + 1); k++) {
      const value = at(nodes.inputs.values, k);
      const producer = value < 0 ? -1 : at(values.producer, value);
      if (producer < 0) continue;
      const before = at(common, producer);
      common[producer] = before < 0 ? at(scopes, node) : commonScope(tree, before, at(scopes, node));
    }
  }
  return scopes;
}

function commonScope({ parent, depth }: ScopeTree, a: number, b: number): number {
  while (a !== b) {
    if ((depth[a] ?? 0) >= (depth[b] ?? 0)) a = parent[a] ?? 0;
    else b = parent[b] ?? 0;
  }
  return a;
}
