import type { Graph } from './graph.js';
import type { Expression } from './sizes.js';

/** An occurrence of a symbol in the inputs of a graph. */
export interface SymbolPlace {
  readonly symbol: Expression;
  readonly input: number;
  readonly axis: number;
}

const known = new WeakMap<Graph, readonly (readonly SymbolPlace[])[]>();

/** The occurrences of each symbol that has several, which must all have the same size. */
export function sharedSymbolsOf(graph: Graph): readonly (readonly SymbolPlace[])[] {
  const found = known.get(graph) ?? find(graph);
  known.set(graph, found);
  return found;
}

function find({ inputs }: Graph): SymbolPlace[][] {
  const places = inputs.flatMap(({ type }, input) =>
    ((type?.kind === 'tensor' && type.dims) || []).flatMap((symbol, axis) =>
      typeof symbol === 'number' ? [] : [{ symbol, input, axis }],
    ),
  );
  const symbols = [...new Set(places.map(({ symbol }) => symbol))];
  return symbols.map((own) => places.filter(({ symbol }) => symbol === own)).filter(({ length }) => length > 1);
}

/** Lets each symbol of the graph have a different size in each place from now on. */
export const loosenSymbols = (graph: Graph): unknown => known.set(graph, []);
