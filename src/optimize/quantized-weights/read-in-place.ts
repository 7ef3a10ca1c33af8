import { forgetCaptures, operandsOf, subgraphsOf } from '../../graph/captures.js';
import type { Graph, Node, Value } from '../../graph/graph.js';
import { joined, mark } from '../../graph/origins.js';
import type { RewriteLog } from '../rewrite-log.js';
import type { Producers } from './constants.js';

/** What a node stands in, as rewriting goes through its graph. */
export interface Surroundings {
  readonly producers: Producers;
  readonly graph: Graph;
}

/** A way to read weights as they are stored. */
export interface Reading {
  readonly rule: string;
  /** Which input of a node is such a weight, if any. */
  readonly weightOf: (node: Node) => number | undefined;
  /** The nodes that read it so; a reason why there are none, or undefined where it is no such weight. */
  readonly propose: (node: Node, around: Surroundings) => Node[] | string | undefined;
}

/** Rewrites all nodes that a reading knows, and drops what made their weights where nobody else reads it. */
export function readInPlace(graph: Graph, log: RewriteLog, reading: Reading): void {
  dropUnread(graph, replacedIn(graph, log, reading, new Map()));
}

/** Rewrites a graph within others, whose nodes make what `around` says; the nodes that need not be read any more. */
function replacedIn(graph: Graph, log: RewriteLog, reading: Reading, around: Producers): Set<Node> {
  const own = graph.nodes.flatMap((node) => node.outputs.map((value) => [value as Value, node] as const));
  const producers = new Map([...around, ...own]);
  const replaced = new Set<Node>();
  graph.nodes = graph.nodes.flatMap((node) => {
    for (const inner of subgraphsOf(node))
      for (const unread of replacedIn(inner, log, reading, producers)) replaced.add(unread);
    const weight = log.applied.length < log.limit ? reading.weightOf(node) : undefined;
    const made = weight === undefined ? undefined : reading.propose(node, { producers, graph });
    if (weight === undefined || made === undefined) return [node];
    if (typeof made === 'string') {
      log.refused?.push({ rule: reading.rule, node: node.name, reason: made });
      return [node];
    }
    log.applied.push({ rule: reading.rule, node: node.name });
    const behind = chainBehind(producers, node.inputs[weight]);
    for (const at of behind) replaced.add(at);
    mark(made, joined([node, ...behind]));
    return made;
  });
  return replaced;
}

/** What makes a value, and what makes the first operand of that, and so on. */
function chainBehind(producers: Producers, value: Value | null | undefined): Node[] {
  const node = value && producers.get(value);
  return node ? [node, ...chainBehind(producers, node.inputs[0])] : [];
}

/** Drops those of `nodes` that nobody reads any more: they would be folded. The last come first. */
function dropUnread(graph: Graph, nodes: ReadonlySet<Node>): void {
  const read = new Set<Value | null>(graph.outputs);
  const kept = graph.nodes.toReversed().filter((node) => {
    if (nodes.has(node) && !node.outputs.some((value) => read.has(value))) return false;
    for (const inner of subgraphsOf(node)) {
      dropUnread(inner, nodes);
      forgetCaptures(inner);
    }
    for (const value of operandsOf(node)) read.add(value);
    return true;
  });
  graph.nodes = kept.toReversed();
}
