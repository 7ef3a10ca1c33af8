import { didYouMean, quoted } from '../advice/near.js';
import { SardonyxError } from '../base/errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { operatorName, subgraphs } from '../graph/walk.js';

/** Values that the nodes of a graph compute and that are not its outputs, in node order, without those in subgraphs. */
export function innerValues({ nodes, outputs }: Graph): Value[] {
  return nodes.flatMap((node) => node.outputs).filter((value): value is Value => !!value && !outputs.includes(value));
}

/**
 * Adds other values of a graph to its outputs, by name: results of its nodes, its inputs and its weights.
 * @throws SardonyxError UNKNOWN_OUTPUT
 */
export function addOutputs(graph: Graph, names: readonly string[]): void {
  const known = new Map<string, Value>();
  const note = (value: Value | null) => value && !known.has(value.name) && known.set(value.name, value);
  for (const value of [...graph.outputs, ...graph.inputs]) note(value);
  for (const node of graph.nodes) for (const value of [...node.inputs, ...node.outputs]) note(value);
  for (const name of names) {
    const value = known.get(name);
    if (!value) throw unknownValue(graph, name, [...known.keys()]);
    if (!graph.outputs.includes(value)) graph.outputs = [...graph.outputs, value];
  }
}

export const unknownValue = (graph: Graph, name: string, known: readonly string[]) =>
  new SardonyxError('UNKNOWN_OUTPUT', reason(graph, name, known), { value: name });

function reason(graph: Graph, name: string, known: readonly string[]): string {
  const holder = graph.nodes.find((node) => subgraphs(node).some(([, inner]) => holds(inner, name)));
  if (holder)
    return `is inside a subgraph of ${operatorName(holder)} "${holder.name}", which may run many times or never`;
  const part = name.toLowerCase();
  const alike = known.filter((other) => part !== '' && other.toLowerCase().includes(part)).slice(0, 5);
  const hint = alike.length > 0 ? `; it has ${quoted(alike)}` : didYouMean(name, known);
  return `the graph has no such value${hint}`;
}

const holds = ({ inputs, nodes }: Graph, name: string): boolean =>
  inputs.some((value) => value.name === name) ||
  nodes.some(
    (node) =>
      node.outputs.some((value) => value?.name === name) || subgraphs(node).some(([, inner]) => holds(inner, name)),
  );
