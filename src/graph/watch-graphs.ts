import { operandsOf } from './captures.js';
import type { Graph, Node } from './graph.js';

type Watch = (graph: Graph) => void;

let watch: Watch | undefined;

/** Sets a function that receives every graph after each set of rewrites, and every plan, for tests to verify them. */
export const watchGraphs = (given: Watch): void => {
  watch = given;
};

export const showGraph: Watch = (graph) => watch?.(graph);

/** Shows the nodes of a plan as a graph whose inputs are the values that they read but do not make. */
export function showNodes(nodes: readonly Node[]): void {
  if (!watch) return;
  const made = new Set(nodes.flatMap(({ outputs }) => outputs));
  const read = new Set(nodes.flatMap(operandsOf).filter((value) => !made.has(value) && !value.constant));
  watch({ name: 'plan', inputs: [...read], outputs: [], nodes: [...nodes] });
}
