import { factOf } from '../../../analysis/fold.js';
import { NodeView } from '../../../analysis/node-view.js';
import { Facts } from '../../../graph/facts.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { foldNode } from '../plan/specialize.js';

/** The graph under known `conditions`, with nodes of If replaced by the branches taken. */
export function taken(graph: Graph, conditions: ReadonlyMap<Value, TensorValue>): Graph {
  const facts = new Facts();
  for (const [value, contents] of conditions) facts.set(value, factOf(contents));
  const nodes: Node[] = [];
  const queue = graph.nodes.toReversed();
  for (let node = queue.pop(); node; node = queue.pop()) {
    const view = new NodeView(node, facts);
    const { becomes } = view.operator;
    if (becomes && view.hasContents(0)) queue.push(...becomes(view).reverse());
    else {
      if (followsFrom(view)) foldNode(view);
      nodes.push(node);
    }
  }
  return { ...graph, nodes };
}

/** Whether all inputs of a node are known, and at least one of them is not a constant. */
const followsFrom = (view: NodeView): boolean =>
  view.node.inputs.some((value) => value && !value.constant) &&
  view.node.inputs.every((value, i) => !value || view.hasContents(i));
