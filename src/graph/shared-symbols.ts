import type { Graph } from './graph.js';

/** Where a symbol stands among the inputs of a graph, more than once. */
export interface SharedSymbol {
  readonly symbol: string;
  readonly places: readonly { readonly input: number; readonly axis: number }[];
}

const known = new WeakMap<Graph, readonly SharedSymbol[]>();

/** Symbols that must be the same size wherever they stand. */
export function sharedSymbolsOf(graph: Graph): readonly SharedSymbol[] {
  const found = known.get(graph) ?? find(graph);
  known.set(graph, found);
  return found;
}

function find({ inputs }: Graph): SharedSymbol[] {
  const bySymbol = new Map<string, { input: number; axis: number }[]>();
  for (const [input, { type }] of inputs.entries())
    for (const [axis, symbol] of ((type?.kind === 'tensor' && type.dims) || []).entries())
      if (typeof symbol === 'string') bySymbol.set(symbol, [...(bySymbol.get(symbol) ?? []), { input, axis }]);
  return [...bySymbol].flatMap(([symbol, places]) => (places.length > 1 ? [{ symbol, places }] : []));
}

/** From now on a symbol of the graph may be of another size in each place. */
export const loosenSymbols = (graph: Graph): unknown => known.set(graph, []);
