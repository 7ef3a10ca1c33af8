import { decompose } from '../../analysis/decompose.js';
import { NodeView } from '../../analysis/node-view.js';
import { type Specialized, specialize } from '../../backends/wasm/plan/specialize.js';
import { operandsOf } from '../../graph/captures.js';
import type { Facts } from '../../graph/facts.js';
import type { Graph, Node } from '../../graph/graph.js';
import type { ValueType } from '../../graph/types.js';
import type { Use } from '../../schema/definition.js';

/** Receives the multiply-adds of each node. */
export type Tally = (node: Node, multiplyAdds: number) => void;

const factOf = ({ operator }: NodeView) => operator.computes?.primitive.facts.multiplyAdds;

/** Sums the multiply-adds of nodes with known shapes, as their primitives or decompositions specify them. */
export function countKnown(nodes: readonly Node[], facts: Facts, tally?: Tally): number {
  return nodes.reduce((sum, node) => {
    const count = multiplyAddsOf(new NodeView(node, facts));
    tally?.(node, count);
    return sum + count;
  }, 0);
}

/** Counts nodes with multiply-adds whose shapes or number of iterations depend on data. */
export function countUnknown({ runnable, deferred }: Specialized, open: Facts): number {
  const inBodies = runnable.reduce((sum, node) => sum + countBodies(observed(node, open)), 0);
  return inBodies + countOpen(deferred, open);
}

function multiplyAddsOf(view: NodeView): number {
  const count = factOf(view);
  const parameters = count && (view.operator.computes as Use<unknown, unknown>).parameters(view);
  if (count && parameters !== undefined) return count(view, parameters);
  const narrow = inFloat32(view);
  const parts = narrow && decompose(narrow);
  return parts ? countKnown(specialize(parts, narrow.facts).runnable, narrow.facts) : 0;
}

/** The node with float32 operands, if only their type prevents its decomposition. The count is the same. */
function inFloat32({ node, operator, facts }: NodeView): NodeView | undefined {
  const type = node.inputs[0] && facts.get(node.inputs[0])?.type;
  if (!operator.decompose || type?.kind !== 'tensor' || type.element === 'float32') return undefined;
  const narrow = facts.fork();
  for (const value of node.inputs) {
    const own = value && facts.get(value)?.type;
    if (value && own?.kind === 'tensor' && own.element === type.element)
      narrow.set(value, { type: { ...own, element: 'float32' } });
  }
  return new NodeView(node, narrow);
}

type Types = readonly (ValueType | null)[];

/** A view of a node that records the input types of its subgraphs. */
class BodyView extends NodeView {
  readonly bodies = new Map<Graph, Types>();

  override meet(graph: Graph, inputs: Types): void {
    this.bodies.set(graph, inputs);
  }
}

const isKnown = (node: Node, facts: Facts): boolean => operandsOf(node).every((value) => facts.has(value));

/** Infers the outputs of a node, with any sizes, if its operands are known. */
function observed(node: Node, facts: Facts): BodyView {
  const view = new BodyView(node, facts);
  if (isKnown(node, facts)) view.infer();
  return view;
}

/** Counts nodes that would have multiply-adds if their operands were known. */
const countOpen = (nodes: readonly Node[], facts: Facts): number =>
  nodes.reduce((sum, node) => {
    const view = observed(node, facts);
    return sum + Number(wouldCount(view)) + countBodies(view);
  }, 0);

function countBodies({ bodies, facts }: BodyView): number {
  let count = 0;
  for (const [graph, types] of bodies) {
    const inner = facts.fork();
    graph.inputs.forEach((value, i) => {
      const type = types[i] ?? value.type;
      if (type) inner.set(value, { type });
    });
    count += countOpen(graph.nodes, inner);
  }
  return count;
}

function wouldCount(view: NodeView): boolean {
  if (factOf(view)) return true;
  if (!isKnown(view.node, view.facts)) return false;
  const [own, narrow] = [decompose(view), inFloat32(view)];
  if (own) return own.some((part) => wouldCount(observed(part, view.facts)));
  return narrow !== undefined && (decompose(narrow)?.some((part) => wouldCount(observed(part, narrow.facts))) ?? false);
}
