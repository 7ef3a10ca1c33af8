import { fold } from '../../analysis/fold.js';
import { NodeView } from '../../analysis/node-view.js';
import { operandsOf } from '../../graph/captures.js';
import type { Facts } from '../../graph/facts.js';
import type { Node } from '../../graph/graph.js';
import { allNodes, subgraphs } from '../../graph/walk.js';
import { isGradient } from '../../optimize/gradient-node.js';
import { findOperator } from '../../schema/registry.js';
import { elementCount, isTensorValue } from '../../tensor/tensor-value.js';

/** Whether all operators in the node and the types of all its operands are known. */
const isInferable = (node: Node, facts: Facts): boolean =>
  !isGradient(node) &&
  [node, ...subgraphs(node).flatMap(([, graph]) => [...allNodes(graph)])].every(({ domain, op, opset }) =>
    findOperator(domain, op, opset ?? Number.POSITIVE_INFINITY),
  ) &&
  operandsOf(node).every((value) => facts.has(value));

/** The maximum number of elements for which axes and sizes are computed. */
const MAX_ELEMENTS = 4096;

/** Infers types and contents of a node's outputs. Throws the errors of its inference rules. */
export function inferNode(node: Node, facts: Facts): void {
  if (!isInferable(node, facts)) return;
  const view = new NodeView(node, facts);
  view.check();
  view.infer();
  const isSmall = node.inputs.every((value) => {
    const contents = value && facts.get(value)?.contents;
    return !contents || elementCount(contents.dims) <= MAX_ELEMENTS;
  });
  const results = isSmall ? fold(view, () => MAX_ELEMENTS) : undefined;
  for (const [i, value] of node.outputs.entries()) {
    const contents = results?.[i];
    if (value && isTensorValue(contents))
      facts.set(value, { type: { kind: 'tensor', element: contents.type, dims: contents.dims }, contents });
  }
}
