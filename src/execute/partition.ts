import type { Backend } from '../backends/backend.js';
import { operandsOf } from '../graph/captures.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { neededFor } from '../graph/needed.js';

/** Nodes that one backend runs together, as a graph: values from other parts are its inputs, and values for them its outputs. */
export interface Part {
  readonly backend: Backend;
  readonly graph: Graph;
}

/**
 * Divides the nodes that the graph's outputs need among backends, sorted by dependencies. Each part contains all nodes of its backend that
 * depend on no other backend's remaining nodes, so that values cross backends as rarely as possible.
 */
export function partition(graph: Graph, backendOf: (node: Node) => Backend): Part[] {
  const groups: { backend: Backend; nodes: Node[] }[] = [];
  let rest = neededFor(graph.nodes, graph.outputs);
  while (rest[0]) {
    const backend = backendOf(rest[0]);
    const nodes = readyFor(backend, rest, backendOf);
    groups.push({ backend, nodes });
    const taken = new Set(nodes);
    rest = rest.filter((node) => !taken.has(node));
  }
  return groups.map(({ backend, nodes }, i) => {
    const later = groups.slice(i + 1).flatMap((group) => group.nodes);
    return { backend, graph: graphOf(`${graph.name}/${i}`, nodes, [...later.flatMap(operandsOf), ...graph.outputs]) };
  });
}

/** The nodes of `backend` that depend on no other backend's among `nodes`, which are sorted. */
function readyFor(backend: Backend, nodes: readonly Node[], backendOf: (node: Node) => Backend): Node[] {
  const waiting = new Set<Value | null>();
  return nodes.filter((node) => {
    const isReady = backendOf(node) === backend && !operandsOf(node).some((value) => waiting.has(value));
    if (!isReady) for (const value of node.outputs) waiting.add(value);
    return isReady;
  });
}

function graphOf(name: string, nodes: Node[], wanted: readonly Value[]): Graph {
  const made = new Set(nodes.flatMap((node) => node.outputs));
  const isFed = (value: Value) => !made.has(value) && (!value.constant || value.isDefault);
  return {
    name,
    nodes,
    inputs: [...new Set(nodes.flatMap(operandsOf))].filter(isFed),
    outputs: [...new Set(wanted)].filter((value) => made.has(value)),
  };
}
