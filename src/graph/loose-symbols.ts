import type { Graph } from './graph.js';

/** Whether equal symbols of a graph's inputs must be equal sizes, once that is known. */
export const symbolsBind = new WeakMap<Graph, boolean>();

/** From now on a symbol of the graph may be of another size in each place. */
export const loosenSymbols = (graph: Graph): unknown => symbolsBind.set(graph, false);
