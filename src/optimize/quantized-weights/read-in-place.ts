import { forgetCaptures, operandsOf, subgraphsOf } from '../../graph/captures.js';
import type { Graph, Node, Value } from '../../graph/graph.js';
import { joined, mark } from '../../graph/origins.js';
import type { RewriteLog } from '../rewrite-log.js';
import type { Producers } from './constants.js';

/** Context of a node during rewriting. */
export interface Surroundings {
  readonly producers: Producers;
  readonly graph: Graph;
}

/** A way to read weights as stored. */
export interface Reading {
  readonly rule: string;
  /** Position of the input that is such a weight, if any. */
  readonly weightOf: (node: Node) => number | undefined;
  /** Nodes that read the weight as stored, a reason why there are none, or undefined for other inputs. */
  readonly propose: (node: Node, around: Surroundings) => Node[] | string | undefined;
}

/** Rewrites all nodes that a reading applies to, and drops the producers of their weights if nothing else reads them. */
export function readInPlace(graph: Graph, log: RewriteLog, reading: Reading): void {
  dropUnread(graph, replacedIn(graph, log, reading, new Map()));
}

/** Rewrites a graph within others; `around` are the producers there. Returns the nodes that may have become unused. */
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

/** The producer of a value, the producer of its first input, and so on. */
function chainBehind(producers: Producers, value: Value | null | undefined): Node[] {
  const node = value && producers.get(value);
  return node ? [node, ...chainBehind(producers, node.inputs[0])] : [];
}

/** Drops unused nodes among `nodes`, the last ones first, so that they are not folded. */
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
