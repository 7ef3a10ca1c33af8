// Rewriting what nodes hold graphs of: loaded with models that have such.
import { type Folded, foldedNode, foldNode, inferGraph, type Keeps } from '../analysis/infer-graph.js';
import { NodeView } from '../analysis/node-view.js';
import { SardonyxError } from '../base/errors.js';
import { forgetCaptures, subgraphsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Graph, Node } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { keyOf } from './common-subexpressions.js';
import { GraphEditor } from './editor.js';

/** Rewrites one graph, of which and of what it captures the facts tell. */
type RewriteGraph = (graph: Graph, facts: Facts) => void;

type Types = readonly (ValueType | null)[];

/** A node that notes what its subgraphs are given. A loop asks until types settle: the last hold for every iteration. */
class HoldingView extends NodeView {
  readonly held = new Map<Graph, Types>();

  override meet(graph: Graph, inputs: Types): void {
    this.held.set(graph, inputs);
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

/** What nodes of constants have come to: branches that share a weight share what is made of it. */
class Recollection {
  readonly #ids = new Map<TensorValue, number>();
  readonly #results = new Map<string, Folded>();

  /** Makes constants of what nodes make of constants alone. */
  fold(graph: Graph, facts: Facts, keeps: Keeps | undefined): void {
    graph.nodes = graph.nodes.filter((node) => {
      const view = new NodeView(node, facts);
      return keeps?.(view) || !foldNode(view, this.#folded(view));
    });
  }

  #folded(view: NodeView): Folded {
    const { node, facts } = view;
    const ids = node.inputs.map((value) => this.#idOf(value && facts.get(value)?.contents));
    const attributes = ids.length === 0 || ids.includes(undefined) ? undefined : keyOf(node);
    if (attributes === undefined) return undefined;
    const key = `${node.domain}:${node.op}(${ids})${node.outputs.length}${attributes}`;
    if (!this.#results.has(key)) this.#results.set(key, foldedNode(view));
    return this.#results.get(key);
  }

  #idOf(contents: TensorValue | null | undefined): number | undefined {
    if (!contents) return contents === null ? -1 : undefined;
    const id = this.#ids.get(contents) ?? this.#ids.size;
    this.#ids.set(contents, id);
    return id;
  }
}

/** Whether a subgraph fits what is around it. One that does not may never run: whoever comes to run it will be told. */
function fits(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch (error) {
    if (error instanceof SardonyxError && /^(INVALID|UNSUPPORTED)/.test(error.code)) return false;
    throw error;
  }
}

/** Rewrites the subgraphs of a graph that has been rewritten, and drops what none of them captures any more. */
export function rewriteSubgraphs(
  graph: Graph,
  facts: Facts,
  keeps: Keeps | undefined,
  rewrite: RewriteGraph,
  known = new Recollection(),
): void {
  for (const node of graph.nodes)
    for (const [inner, types] of typedSubgraphs(node, facts)) {
      const own = facts.fork();
      inner.inputs.forEach((value, i) => {
        own.set(value, { type: types[i] as ValueType });
      });
      if (!fits(() => known.fold(inner, own, keeps)) || !fits(() => inferGraph(inner, false, keeps, own))) continue;
      rewrite(inner, own);
      rewriteSubgraphs(inner, own, keeps, rewrite, known);
      forgetCaptures(inner);
    }
  new GraphEditor(graph, facts).dropDead();
}
