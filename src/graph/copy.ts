import type { Attribute, Graph, Node, Value } from './graph.js';

/** Copies of nodes; what they make are new values, named with `prefix`. `values` says what stands for others, and learns the new. */
export function copyNodes(nodes: readonly Node[], prefix: string, values: Map<Value, Value>): Node[] {
  const made = (value: Value): Value => {
    const copy: Value = { ...value, name: `${prefix}/${value.name}` };
    values.set(value, copy);
    return copy;
  };
  const now = (value: Value): Value => values.get(value) ?? value;
  const attributeOf = (attribute: Attribute): Attribute => {
    if (attribute.type === 'graph') return { type: 'graph', value: graphOf(attribute.value) };
    if (attribute.type === 'graphs') return { type: 'graphs', value: attribute.value.map(graphOf) };
    return attribute;
  };
  const graphOf = ({ name, inputs, nodes, outputs }: Graph): Graph => {
    const own = inputs.map(made);
    const copies = nodes.map(nodeOf);
    return { name, inputs: own, nodes: copies, outputs: outputs.map(now) };
  };
  const nodeOf = ({ binding: _, ...node }: Node): Node => ({
    ...node,
    name: `${prefix}/${node.name}`,
    inputs: node.inputs.map((value) => value && now(value)),
    attributes: Object.fromEntries(Object.entries(node.attributes).map(([name, one]) => [name, attributeOf(one)])),
    outputs: node.outputs.map((value) => value && made(value)),
  });
  return nodes.map(nodeOf);
}
