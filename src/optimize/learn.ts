import { factOf, fold } from '../analysis/fold.js';
import { NodeView } from '../analysis/node-view.js';
import { operandsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Node } from '../graph/graph.js';
import { isTensorValue } from '../tensor/tensor-value.js';

/** Enough for axes, shapes and similar constants. */
const MAX_FOLDED = 64;

/** Infers facts about a node's outputs from those about its inputs. */
export function learn(node: Node, facts: Facts): void {
  if (operandsOf(node).some((value) => !facts.has(value))) return;
  const view = new NodeView(node, facts);
  view.check();
  view.infer();
  const results = fold(view, (elements) => (elements <= MAX_FOLDED ? MAX_FOLDED : -1)) ?? [];
  node.outputs.forEach((value, i) => {
    const contents = results[i];
    if (value && isTensorValue(contents)) facts.set(value, factOf(contents));
  });
}
