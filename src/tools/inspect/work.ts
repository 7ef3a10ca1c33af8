import { type Specialized, specialize } from '../../backends/wasm/plan/specialize.js';
import { SardonyxError } from '../../base/errors.js';
import { Facts } from '../../graph/facts.js';
import type { Graph, Model, Node } from '../../graph/graph.js';
import { bindOpsets } from '../../model/bind-opsets.js';
import { inlineFunctions } from '../../optimize/inline-functions.js';
import { concreteDims } from './concrete-dims.js';
import { countKnown, countUnknown } from './multiply-adds.js';

/** The cost of one run of a model. */
export interface Work {
  /** The multiply-adds of all nodes that can be counted. */
  readonly total: number;
  /** The number of nodes with multiply-adds whose shapes or number of iterations depend on data. */
  readonly unknown: number;
  /** Multiply-adds of fully counted nodes. A call includes its function, and an If the branch that it takes. */
  readonly byNode: ReadonlyMap<Node, number>;
  /** Facts about values. */
  readonly facts: Facts;
  /** The error of the first node that cannot be analyzed. Such nodes count as 0. */
  readonly refusal?: SardonyxError;
}

const NOTHING: Specialized = {
  findings: [],
  runnable: [],
  deferred: [],
  observed: [],
  dynamic: [],
  canEvaluate: false,
};

/**
 * The cost of one run with the given sizes of dynamic dimensions, 1 by default, and with the default values of inputs.
 */
export function workOf(model: Model, dims: ReadonlyMap<string, number>): Work {
  const { graph } = model;
  bindOpsets(graph, model.opsets);
  const facts = factsOf(graph, dims);
  const byNode = new Map<Node, number>();
  const wholes = new Map<Node, Node>();
  const tally = (node: Node, count: number) => {
    for (let at: Node | undefined = node; at; at = wholes.get(at)) byNode.set(at, (byNode.get(at) ?? 0) + count);
  };
  let refusal: SardonyxError | undefined;
  const attempt = <T>(look: () => T, otherwise: T): T => {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof SardonyxError)) throw error;
      refusal ??= error;
      return otherwise;
    }
  };
  let total = 0;
  const parts = graph.nodes.map((node) => {
    const nodes = attempt(() => withoutCalls(model, node), []);
    for (const inner of nodes) if (inner !== node) wholes.set(inner, node);
    const part = attempt(() => specialize(nodes, facts), NOTHING);
    for (const { node: seen, outcome } of part.findings) {
      for (const inner of outcome.kind === 'parts' ? outcome.nodes : []) wholes.set(inner, seen);
      tally(seen, 0);
    }
    total += attempt(() => countKnown(part.runnable, facts, tally), 0);
    return { ...part, node };
  });
  const open = facts.fork();
  let unknown = 0;
  for (const part of parts) {
    const missing = attempt(() => countUnknown(part, open), 0);
    for (const node of missing > 0 ? [part.node, ...part.deferred] : part.deferred) byNode.delete(node);
    unknown += missing;
  }
  return { total, unknown, byNode, facts, ...(refusal && { refusal }) };
}

function factsOf({ inputs }: Graph, dims: ReadonlyMap<string, number>): Facts {
  const facts = new Facts();
  for (const value of inputs) {
    const { type, constant } = value;
    if (constant) continue;
    if (type?.kind === 'tensor' && type.dims)
      facts.set(value, { type: { ...type, dims: concreteDims(type.dims, dims) } });
    else if (type && type.kind !== 'tensor') facts.set(value, { type });
  }
  return facts;
}

/** The node, or the body of the function that it calls. */
function withoutCalls(model: Model, node: Node): Node[] {
  if (model.functions.length === 0) return [node];
  const graph = { ...model.graph, nodes: [node] };
  inlineFunctions({ ...model, graph });
  return graph.nodes;
}
