// Rewrites of subgraphs. Loaded with models that have subgraphs.
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

/** Rewrites one graph; `facts` cover it and the values that it captures. */
type RewriteGraph = (graph: Graph, facts: Facts) => void;

type Types = readonly (ValueType | null)[];

/**
 * A node that records the input types of its subgraphs. A loop meets its body until types settle; the last types hold for every iteration.
 */
class HoldingView extends NodeView {
  readonly held = new Map<Graph, Types>();

  override meet(graph: Graph, inputs: Types): void {
    this.held.set(graph, inputs);
  }
}

/** The subgraphs of a node whose input types are all known, with these types. */
function typedSubgraphs(node: Node, facts: Facts): [Graph, readonly ValueType[]][] {
  if (subgraphsOf(node).length === 0 || node.inputs.some((value) => value && !facts.has(value))) return [];
  const view = new HoldingView(node, facts);
  view.outputTypes();
  return [...view.held].flatMap(([graph, inputs]): [Graph, ValueType[]][] => {
    const types = graph.inputs.map((value, i) => inputs[i] ?? value.type);
    return types.every((type) => type !== undefined) ? [[graph, types]] : [];
  });
}

/** Caches results of constant nodes, so that branches with the same weight share them. */
class Recollection {
  readonly #ids = new Map<TensorValue, number>();
  readonly #results = new Map<string, Folded>();

  /** Folds nodes whose inputs are all constants. */
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

/** Whether a subgraph is valid in its context. An invalid one may never run; if it does, that run reports the error. */
function fits(look: () => unknown): boolean {
  try {
    look();
    return true;
  } catch (error) {
    if (error instanceof SardonyxError && /^(INVALID|UNSUPPORTED)/.test(error.code)) return false;
    throw error;
  }
}

/** Rewrites the subgraphs of a rewritten graph, and drops nodes whose results they no longer capture. */
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
