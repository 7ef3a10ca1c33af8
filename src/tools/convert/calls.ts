import { Copy } from '../../graph/copy.js';
import type { Attribute, FunctionDefinition, Graph, Node, Value } from '../../graph/graph.js';

interface Call {
  /** The function's body with attribute references replaced by the call's attributes; `Copy` prefixes the names. */
  readonly graph: Graph;
  /** The operands of the call for the body's inputs. */
  readonly given: ReadonlyMap<Value, Value>;
}

export function callOf(call: Node, { graph, defaults, name }: FunctionDefinition): Call {
  const resolve = (attribute: Attribute): Attribute | undefined => {
    if (attribute.type !== 'reference') return attribute;
    const found = call.attributes[attribute.value] ?? defaults[attribute.value];
    return found?.type === 'reference' ? undefined : found;
  };
  const copy = new Copy('', name, resolve);
  const given = new Map<Value, Value>();
  for (const [i, input] of graph.inputs.entries()) {
    const operand = call.inputs[i];
    const stand: Value | null = operand ? { name: `/${input.name}` } : null;
    copy.values.set(input, stand);
    if (stand && operand) given.set(stand, operand);
  }
  const nodes = graph.nodes.map((node) => copy.node(node));
  const inputs = [...given.keys()];
  const outputs = graph.outputs.map((value) => copy.value(value) ?? value);
  return { graph: { name: graph.name, inputs, outputs, nodes }, given };
}
