// Rewriting what nodes hold graphs of: loaded with models that have such.
import { inferGraph } from '../analysis/infer-graph.js';
import { NodeView } from '../analysis/node-view.js';
import { capturesOf, forgetCaptures, subgraphsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';
import { keyOf } from './common-subexpressions.js';
import { GraphEditor } from './editor.js';

/** Rewrites one graph, of which and of what it has `captured` the facts tell. */
type RewriteGraph = (graph: Graph, facts: Facts, captured: readonly Value[]) => void;

type Types = readonly (ValueType | null)[];

/** A node that notes what its subgraphs are given. A loop asks until types settle: the last hold for every iteration. */
class HoldingView extends NodeView {
  readonly held = new Map<Graph, Types>();

  override graphTypes(graph: Graph, inputs: Types): Types {
    this.held.set(graph, inputs);
    return super.graphTypes(graph, inputs);
  }
}

/** The subgraphs of a node that are given values of known types alone, with these. */
function typedSubgraphs(node: Node, facts: Facts): [Graph, readonly ValueType[]][] {
  if (subgraphsOf(node).length === 0 || node.inputs.some((value) => value && !facts.has(value))) return [];
  const view = new HoldingView(node, facts);
  view.outputTypes();
  return [...view.held].flatMap(([graph, inputs]): [Graph, ValueType[]][] => {
    const types = graph.inputs.map((value, i) => inputs[i] ?? value.type);
    return types.every((type) => type !== undefined) ? [[graph, types]] : [];
  });
}

type Results = readonly HostValue[] | undefined;

/** What nodes of constants have come to: branches that share a weight share what is made of it. */
class Recollection {
  readonly #ids = new Map<TensorValue, number>();
  readonly #results = new Map<string, Results>();

  readonly recall = ({ node, facts }: NodeView, fold: () => Results): Results => {
    const ids = node.inputs.map((value) => this.#idOf(value && facts.get(value)?.contents));
    const attributes = ids.includes(undefined) ? undefined : keyOf(node);
    if (attributes === undefined || ids.length === 0) return fold();
    const key = `${node.domain}:${node.op}(${ids})${node.outputs.length}${attributes}`;
    if (!this.#results.has(key)) this.#results.set(key, fold());
    return this.#results.get(key);
  };

  #idOf(contents: TensorValue | null | undefined): number | undefined {
    if (!contents) return contents === null ? -1 : undefined;
    const id = this.#ids.get(contents) ?? this.#ids.size;
    this.#ids.set(contents, id);
    return id;
  }
}

/** Rewrites the subgraphs of a graph that has been rewritten, and drops what none of them captures any more. */
export function rewriteSubgraphs(
  graph: Graph,
  facts: Facts,
  keeps: ((node: Node) => boolean) | undefined,
  rewrite: RewriteGraph,
  recall = new Recollection().recall,
): void {
  for (const node of graph.nodes)
    for (const [inner, types] of typedSubgraphs(node, facts)) {
      const known = facts.fork();
      inner.inputs.forEach((value, i) => {
        known.set(value, { type: types[i] as ValueType });
      });
      inferGraph(inner, { facts: known, keeps, recall });
      rewrite(inner, known, capturesOf(inner));
      rewriteSubgraphs(inner, known, keeps, rewrite, recall);
      forgetCaptures(inner);
    }
  new GraphEditor(graph, facts).dropDead();
}
