import { account } from '../account.js';
import { operandsOf } from '../graph/captures.js';
import { Facts } from '../graph/facts.js';
import type { Graph, Node } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import { isTensorValue } from '../tensor/tensor-value.js';
import { factOf, fold } from './fold.js';
import { NodeView } from './node-view.js';

/**
 * What is known of every value of a graph before any shape is fed, sizes as symbols. On the way, nodes that depend on
 * constants alone become constants, unless `keeps` holds them back. Of subgraphs `facts` say what is known of inputs and captures.
 */
export function inferGraph(
  graph: Graph,
  looseSymbols = false,
  keeps?: Keeps,
  facts = declared(graph, looseSymbols),
): Facts {
  const kept: Node[] = [];
  for (const node of graph.nodes) {
    account()?.look();
    const view = new NodeView(node, facts);
    if (operandsOf(node).some((value) => !facts.has(value))) {
      kept.push(node);
      continue;
    }
    view.check();
    if (keeps?.(view) || !foldNode(view, foldedNode(view))) {
      view.infer();
      kept.push(node);
    }
  }
  graph.nodes = kept;
  return facts;
}

/** Whether a node stays, although its results may be known. */
export type Keeps = (view: NodeView) => boolean;

/** What the inputs of a graph say. */
function declared({ inputs }: Graph, looseSymbols: boolean): Facts {
  const facts = new Facts();
  for (const input of inputs)
    if (input.type) facts.set(input, { type: looseSymbols ? apart(input.type, facts) : input.type });
  return facts;
}

/** The type with a symbol of its own for every open size. */
const apart = (type: ValueType, facts: Facts): ValueType =>
  type.kind === 'tensor' && type.dims
    ? { ...type, dims: type.dims.map((d) => (typeof d === 'number' ? d : facts.unknown())) }
    : type;

/** Expanding a constant beyond this many elements is left to the run, unless it is what a constant node says itself. */
const MAX_EXPANSION = 1 << 16;

const isSource = ({ op, inputs }: Node) => inputs.length === 0 || op === 'ConstantOfShape';

/** What a node comes to where its inputs are constants or its shapes say it, unless that is too large. */
export const foldedNode = (view: NodeView): Folded =>
  fold(view, (elements) => (isSource(view.node) ? Number.POSITIVE_INFINITY : Math.max(MAX_EXPANSION, 4 * elements)));

export type Folded = ReturnType<typeof fold>;

/** Makes constants of a node's outputs, where its inputs are constants or its shapes say them. */
export function foldNode({ node, facts }: NodeView, results: Folded): boolean {
  node.outputs.forEach((value, i) => {
    const contents = results?.[i];
    if (!value || !isTensorValue(contents)) return;
    value.constant = contents;
    account()?.holdValue(contents);
    facts.set(value, factOf(contents));
  });
  return results !== undefined;
}
