import { rowOf } from '../../graph/neighbors.js';
import { nodeId, type Outline } from '../../graph/outline.js';
import type { Modules } from '../../graph/picture.js';
import type { Heat } from '../../store/workspace.js';
import { counted } from '../../ui/quantities.js';
import type { Overlay, Remark } from './overlay.js';

/** Remarks on one graph. */
export interface Placed {
  readonly nodes: ReadonlyMap<number, readonly Remark[]>;
  readonly values: ReadonlyMap<number, readonly Remark[]>;
  /** Titles of the nodes' numbers, in file order. */
  readonly titles: readonly string[];
}

/** Places the remarks on a graph: nodes by name or place, values by name. */
export function placedIn(graph: Outline, { remarks }: Overlay): Placed {
  const [nodes, values] = [new Map<number, Remark[]>(), new Map<number, Remark[]>()];
  const titles = new Set<string>();
  const [nodesBy, valuesBy] = [nodesByKey(graph), valuesByName(graph)];
  for (const remark of remarks) {
    const value = valuesBy.get(remark.key);
    if (remark.of === 'value' && value !== undefined) add(values, value, remark);
    for (const node of nodesOf(graph, remark, nodesBy, value)) {
      add(nodes, node, remark);
      if (typeof remark.fact === 'number') titles.add(remark.title);
    }
  }
  return { nodes, values, titles: [...titles] };
}

/** How much of a graph has remarks: `3 nodes and 1 value`. */
export function reachOf({ nodes, values }: Placed): string {
  const ofNodes = counted(nodes.size, 'node');
  return values.size > 0 ? `${ofNodes} and ${counted(values.size, 'value')}` : ofNodes;
}

function add<K, T>(to: Map<K, T[]>, key: K, item: T): void {
  const there = to.get(key);
  if (there) there.push(item);
  else to.set(key, [item]);
}

function nodesOf(
  { nodes, values }: Outline,
  { of, key }: Remark,
  byKey: ReadonlyMap<string, readonly number[]>,
  value: number | undefined,
): readonly number[] {
  if (of !== 'node' && of !== 'either') return [];
  const found = byKey.get(key);
  if (found || of === 'node' || value === undefined) return found ?? [];
  const producer = values.producer[value] ?? -1;
  return producer >= 0 && rowOf(nodes.outputs, producer).includes(value) ? [producer] : [];
}

/** Nodes by name, which several may share, or else by their place. */
function nodesByKey({ nodes, strings, path }: Outline): Map<string, number[]> {
  const found = new Map<string, number[]>();
  nodes.name.forEach((name, node) => {
    const text = strings[name] as string;
    if (text) add(found, text, node);
  });
  for (let node = 0; node < nodes.count; node++) {
    const id = nodeId(path, node);
    if (!found.has(id)) found.set(id, [node]);
  }
  return found;
}

const valuesByName = ({ values, strings }: Outline): Map<string, number> =>
  new Map(Array.from(values.name, (name, value) => [strings[name] as string, value]));

/** The numbers under one title as colours, the smallest the coldest; modules have the mean of their nodes. */
export function heatBy({ nodes }: Placed, title: string, graph: Outline, modules: Modules): Heat {
  const byNode = new Float64Array(graph.nodes.count).fill(Number.NaN);
  for (const [node, remarks] of nodes)
    for (const { title: own, fact } of remarks) if (own === title && typeof fact === 'number') byNode[node] = fact;
  const from = byNode.reduce((least, number) => (number < least ? number : least), Number.POSITIVE_INFINITY);
  return { title, unit: 'number', byNode, byModule: meansOf(byNode, modules), from };
}

function meansOf(byNode: Float64Array, { count, parent, ofNode }: Modules): Float64Array {
  const [sums, counts] = [new Float64Array(count), new Float64Array(count)];
  ofNode.forEach((innermost, node) => {
    const number = byNode[node] as number;
    if (Number.isNaN(number)) return;
    for (let at = innermost; at >= 0; at = parent[at] as number) {
      sums[at] = (sums[at] as number) + number;
      counts[at] = (counts[at] as number) + 1;
    }
  });
  return sums.map((sum, module) => sum / (counts[module] as number));
}
