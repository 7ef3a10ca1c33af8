import { subgraphsOf } from '../../../graph/captures.js';
import type { Attribute, Graph, Node, Value } from '../../../graph/graph.js';
import { allNodes } from '../../../graph/walk.js';
import { operatorOf } from '../../../schema/registry.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { twins } from '../plan/twins.js';

/**
 * Finds nodes of one branch that use constants just as a node of the other does. They share the packed constants, as
 * one node does in plans for different shapes.
 */
export function findTwins({ nodes }: Graph): void {
  const keyOf = keys();
  for (const node of nodes) {
    if (!operatorOf(node).becomes) continue;
    const [first, ...others] = subgraphsOf(node);
    const known = new Map([...allNodes(first as Graph)].map((inner) => [keyOf(inner), inner]));
    for (const inner of others.flatMap((graph) => [...allNodes(graph)])) {
      const key = keyOf(inner);
      const twin = key && known.get(key);
      if (twin) twins.set(inner, twin);
    }
  }
}

/**
 * Returns equal keys for nodes that need the same forms of the same constants; undefined if attributes are not
 * comparable.
 */
function keys(): (node: Node) => string | undefined {
  const ids = new Map<TensorValue, number>();
  const idOf = (value: Value | null) => {
    if (!value?.constant) return value && 'varies';
    const id = ids.get(value.constant) ?? ids.size;
    ids.set(value.constant, id);
    return id;
  };
  return ({ domain, op, opset, inputs, attributes }) =>
    Object.values(attributes).every(isPlain)
      ? JSON.stringify([domain, op, opset, inputs.map(idOf), Object.entries(attributes).sort()], exactly)
      : undefined;
}

const isPlain = ({ type }: Attribute): boolean => /^(int|float|string|expression)s?$/.test(type);

/** JSON cannot represent infinities and NaN. */
const exactly = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
