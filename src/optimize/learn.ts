import { operandsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Node } from '../graph/graph.js';
import { evaluateOnHost } from '../ops/evaluate.js';
import { knownSizes } from '../ops/known-sizes.js';
import { NodeView } from '../ops/node-view.js';
import { elementCount, isTensorValue } from '../tensor/tensor-value.js';

const MAX_FOLDED = 64;

/** Records what follows for a node's outputs from what is known of its inputs. */
export function learn(node: Node, facts: Facts): void {
  if (operandsOf(node).some((value) => !facts.has(value))) return;
  const view = new NodeView(node, facts);
  view.check();
  view.infer();
  const [first] = node.outputs;
  const sizes = knownSizes(view);
  if (sizes && first)
    facts.set(first, { type: { kind: 'tensor', element: sizes.type, dims: sizes.dims }, contents: sizes });
  else foldSmall(view);
}

/** Axes, shapes and the like that nodes compute of constants. */
function foldSmall(view: NodeView): void {
  const { node, operator, facts } = view;
  const isConstant = node.inputs.every((value) => !value || facts.get(value)?.contents);
  if (!isConstant || !operator.evaluate || !operator.deterministic) return;
  const small = node.inputs.every((_, i) => !view.given(i) || elementCount(view.dims(i) as number[]) <= MAX_FOLDED);
  if (!small) return;
  evaluateOnHost(view).forEach((contents, i) => {
    const value = node.outputs[i];
    if (!value || !isTensorValue(contents) || elementCount(contents.dims) > MAX_FOLDED) return;
    facts.set(value, { type: { kind: 'tensor', element: contents.type, dims: contents.dims }, contents });
  });
}
