import type { Outline } from '../graph/outline.js';
import { withBlocks } from './blocks.js';
import { add, at, bit, nth } from './columns.js';
import { forProducers } from './edges.js';
import { isFolded } from './folding.js';
import type { Group } from './group.js';
import type { ScopeTree } from './scopes.js';

/** Groups nodes by scope such that each group can be drawn closed without a cycle. */
export function regroup(
  outline: Outline,
  tree: ScopeTree,
  scopes: Int32Array,
  order: Int32Array,
  numberOf: (group: Group) => number,
): Group {
  const chains = scopeChains(tree);
  const partOf = new Int32Array(outline.nodes.count).fill(-1);
  const root = build(0, '', '', Array.from(order));
  return root;

  function build(depth: number, title: string, path: string, members: number[]): Group {
    const parts = partition(depth, members);
    const nodes: number[] = [];
    const groups: Group[] = [];
    const whole = withoutCycles(outline, parts, members, partOf);
    for (const part of [...whole].sort((a, b) => firstDrawn(outline, a.nodes) - firstDrawn(outline, b.nodes))) {
      if (part.scope < 0) {
        nodes.push(...part.nodes);
        continue;
      }
      if (countDrawn(outline, part.nodes) <= 1) nodes.push(...part.nodes);
      else groups.push(joined(build(depth + 1, tree.title[part.scope] ?? '', tree.path[part.scope] ?? '', part.nodes)));
    }
    return withBlocks(outline, { title, path, nodes, groups }, numberOf, partOf);
  }

  function partition(depth: number, members: readonly number[]): Part[] {
    const parts = new Map<number, Part>();
    for (const node of members) {
      const scope = chains[at(scopes, node)]?.[depth] ?? -1;
      const part = parts.get(scope);
      if (part) part.nodes.push(node);
      else parts.set(scope, { scope, nodes: [node] });
    }
    return [...parts.values()];
  }
}

/** The nodes of one inner scope, or of none (-1). */
export interface Part {
  readonly scope: number;
  readonly nodes: number[];
}

/** For each scope, the path of scopes from below the root to it. */
function scopeChains({ parent }: ScopeTree): number[][] {
  const chains: number[][] = [[]];
  for (let scope = 1; scope < parent.length; scope++) chains.push([...(chains[parent[scope] ?? 0] ?? []), scope]);
  return chains;
}

/** Merges a module with its only inner module if it contains nothing else. */
function joined(group: Group): Group {
  const [only] = group.groups;
  if (only === undefined || group.groups.length > 1 || group.nodes.length > 0) return group;
  return { ...only, title: `${group.title}/${only.title}` };
}

function firstDrawn({ nodes }: Outline, members: readonly number[]): number {
  return members.find((node) => !isFolded(bit(nodes.flags, node))) ?? nodes.count;
}

function countDrawn({ nodes }: Outline, members: readonly number[]): number {
  let drawn = 0;
  for (const node of members) if (!isFolded(bit(nodes.flags, node))) drawn++;
  return drawn;
}

/** Divides parts that form cycles with each other into runs: uninterrupted rows of nodes, none before what it reads. */
function withoutCycles(outline: Outline, parts: Part[], members: readonly number[], partOf: Int32Array): Part[] {
  let items = 0;
  for (const part of parts) {
    if (part.scope < 0) for (const node of part.nodes) partOf[node] = items++;
    else {
      for (const node of part.nodes) partOf[node] = items;
      items++;
    }
  }
  const isCyclic = cyclicItems(outline, members, partOf, items);
  const result = isCyclic
    ? parts.flatMap((part) => {
        const first = part.nodes[0] ?? 0;
        return part.scope < 0 || !isCyclic[at(partOf, first)] ? [part] : [];
      })
    : parts;
  if (isCyclic) {
    const tangled = members.filter((node) => isCyclic[at(partOf, node)]);
    const scopeOf = new Map(parts.flatMap(({ scope, nodes }) => nodes.map((node) => [node, scope] as const)));
    result.push(...runsOf(outline, tangled, scopeOf));
  }
  for (const node of members) partOf[node] = -1;
  return result;
}

/** The items that remain after repeatedly removing sources and sinks; undefined if none remain. */
function cyclicItems(
  outline: Outline,
  members: readonly number[],
  itemOf: Int32Array,
  items: number,
): Uint8Array | undefined {
  const from: number[] = [];
  const to: number[] = [];
  for (const node of members)
    forProducers(outline, node, (producer) => {
      const [a, b] = [at(itemOf, producer), at(itemOf, node)];
      if (a < 0 || a === b) return;
      from.push(a);
      to.push(b);
    });
  const isLeft = new Uint8Array(items).fill(1);
  const total = peel(from, to, isLeft, peel(to, from, isLeft, items));
  return total > 0 ? isLeft : undefined;
}

function peel(from: readonly number[], to: readonly number[], isLeft: Uint8Array, left: number): number {
  const degree = new Int32Array(isLeft.length);
  const readers: number[][] = Array.from({ length: isLeft.length }, () => []);
  from.forEach((a, i) => {
    const b = nth(to, i);
    if (!isLeft[a] || !isLeft[b]) return;
    add(degree, b, 1);
    readers[a]?.push(b);
  });
  const ready: number[] = [];
  isLeft.forEach((is, item) => {
    if (is && degree[item] === 0) ready.push(item);
  });
  for (let item = ready.pop(); item !== undefined; item = ready.pop()) {
    isLeft[item] = 0;
    left--;
    for (const reader of readers[item] ?? []) if (add(degree, reader, -1) === 0) ready.push(reader);
  }
  return left;
}

function runsOf(outline: Outline, nodes: readonly number[], scopeOf: ReadonlyMap<number, number>): Part[] {
  const waitsFor = new Map<number, number>(nodes.map((node) => [node, 0]));
  const readers = new Map<number, number[]>(nodes.map((node) => [node, []]));
  for (const node of nodes)
    forProducers(outline, node, (producer) => {
      const list = readers.get(producer);
      if (!list || producer === node) return;
      list.push(node);
      waitsFor.set(node, (waitsFor.get(node) ?? 0) + 1);
    });
  const ready = new Map<number, number[]>();
  const offer = (node: number) => {
    const scope = scopeOf.get(node) ?? -1;
    const list = ready.get(scope);
    if (list) list.push(node);
    else ready.set(scope, [node]);
  };
  for (const node of nodes) if (waitsFor.get(node) === 0) offer(node);
  const runs: Part[] = [];
  const loose: Part = { scope: -1, nodes: [] };
  while (ready.size > 0) {
    const scope = ready.has(-1) ? -1 : (ready.keys().next().value ?? -1);
    const run: number[] = [];
    for (let list = ready.get(scope); list?.length; list = ready.get(scope)) {
      const node = list.shift() as number;
      run.push(node);
      waitsFor.delete(node);
      for (const reader of readers.get(node) ?? []) {
        const left = (waitsFor.get(reader) ?? 0) - 1;
        waitsFor.set(reader, left);
        if (left === 0) offer(reader);
      }
    }
    ready.delete(scope);
    if (scope < 0) continue;
    runs.push({ scope, nodes: run });
  }
  for (const node of waitsFor.keys()) if (scopeOf.get(node) !== -1) loose.nodes.push(node);
  return loose.nodes.length > 0 ? [...runs, loose] : runs;
}
