import { operandsOf } from './captures.js';
import type { Graph, Node } from './graph.js';

type Watch = (graph: Graph) => void;

let watch: Watch | undefined;

/** Is shown every graph after each set of rewrites, and each plan's: tests let the verifier look at them. */
export const watchGraphs = (given: Watch): void => {
  watch = given;
};

export const showGraph: Watch = (graph) => watch?.(graph);

/** Shows nodes in the order of a plan as a graph whose inputs are what they read and do not make. */
export function showNodes(nodes: readonly Node[]): void {
  if (!watch) return;
  const made = new Set(nodes.flatMap(({ outputs }) => outputs));
  const read = new Set(nodes.flatMap(operandsOf).filter((value) => !made.has(value) && !value.constant));
  watch({ name: 'plan', inputs: [...read], outputs: [], nodes: [...nodes] });
}
