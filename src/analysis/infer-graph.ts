import { account } from '../account.js';
import { operandsOf } from '../graph/captures.js';
import { Facts } from '../graph/facts.js';
import type { Graph, Node } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import { isTensorValue } from '../tensor/tensor-value.js';
import { factOf, fold } from './fold.js';
import { NodeView } from './node-view.js';

/**
 * Infers facts about every value of a graph before shapes are fed; unknown sizes are symbols. Folds nodes that depend only on constants,
 * except those that `keeps` selects. For subgraphs, `facts` cover inputs and captured values.
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

/** Whether a node stays, although it could be folded. */
export type Keeps = (view: NodeView) => boolean;

/** Facts about a graph's declared inputs. */
function declared({ inputs }: Graph, looseSymbols: boolean): Facts {
  const facts = new Facts();
  for (const input of inputs)
    if (input.type) facts.set(input, { type: looseSymbols ? apart(input.type, facts) : input.type });
  return facts;
}

/** The type with a new symbol for every dynamic dimension. */
const apart = (type: ValueType, facts: Facts): ValueType =>
  type.kind === 'tensor' && type.dims
    ? { ...type, dims: type.dims.map((d) => (typeof d === 'number' ? d : facts.unknown())) }
    : type;

/** Nodes that expand constants beyond this number of elements run later, except constant nodes and ConstantOfShape. */
const MAX_EXPANSION = 1 << 16;

const isSource = ({ op, inputs }: Node) => inputs.length === 0 || op === 'ConstantOfShape';

/** Results of a node whose inputs are constants, or whose shapes determine them, unless they are too large. */
export const foldedNode = (view: NodeView): Folded =>
  fold(view, (elements) => (isSource(view.node) ? Number.POSITIVE_INFINITY : Math.max(MAX_EXPANSION, 4 * elements)));

export type Folded = ReturnType<typeof fold>;

/** Turns a node's outputs into constants if there are `results`. */
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
