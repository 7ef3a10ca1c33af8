import { type AttributeInput, toAttributes } from '../../../src/builder/attributes.js';
import type { Graph, Node, Value } from '../../../src/graph/graph.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';

/** The nodes that take another's place. */
export class Replacement {
  readonly nodes: Node[] = [];

  constructor(private readonly name: string) {}

  constant(name: string, constant: TensorValue): Value {
    const { type, dims } = constant;
    return { name, type: { kind: 'tensor', element: type, dims: [...dims] }, constant };
  }

  /** A node, of ONNX's own domain unless its name begins with another, and its outputs. */
  node(
    operator: string,
    inputs: readonly (Value | null)[],
    attributes: Readonly<Record<string, AttributeInput>> = {},
    outputs: number | readonly (Value | null)[] = 1,
  ): (Value | null)[] {
    const [op = '', domain = ''] = operator.split(':').reverse();
    const name = `${this.name}_${op}_${this.nodes.length}`;
    const values =
      typeof outputs === 'number'
        ? Array.from({ length: outputs }, (_, i): Value => ({ name: `${name}_output_${i}` }))
        : [...outputs];
    this.nodes.push({
      ...{ name, domain, op },
      ...{ inputs: [...inputs], outputs: values, attributes: toAttributes(attributes) },
    });
    return values;
  }

  op(
    operator: string,
    inputs: readonly (Value | null)[],
    attributes: Readonly<Record<string, AttributeInput>> = {},
    output?: Value | null,
  ): Value {
    return this.node(operator, inputs, attributes, output ? [output] : 1)[0] as Value;
  }
}

/** What takes a node's place, and makes the same outputs; undefined: the node stays. */
export type Replace = (node: Node) => readonly Node[] | undefined;

/** Replaces nodes of a graph and its subgraphs; each graph has a `Replace` of its own, as what it makes is not seen outside. */
export const replaceNodes = (graph: Graph, rules: () => Replace): Graph => {
  const replace = rules();
  const nodes = graph.nodes.map((node) => withSubgraphs(node, (inner) => replaceNodes(inner, rules)));
  return { ...graph, nodes: nodes.flatMap((node) => replace(node) ?? [node]) };
};

export function withSubgraphs(node: Node, map: (graph: Graph) => Graph): Node {
  const attributes = Object.entries(node.attributes).map(([name, attribute]) => [
    name,
    attribute.type === 'graph' ? { type: 'graph', value: map(attribute.value) } : attribute,
  ]);
  return { ...node, attributes: Object.fromEntries(attributes) };
}

/** What is made of a constant, once, however many nodes use it. */
export function once<T>(make: (constant: Value) => T): (constant: Value) => T {
  const known = new Map<Value, T>();
  return (constant) => {
    const made = known.get(constant) ?? make(constant);
    known.set(constant, made);
    return made;
  };
}

/** Products with constant matrices [K, N] by another operator, of its own inputs and attributes. */
export const replaceProducts = (
  graph: Graph,
  operator: string,
  packed: (matrix: Value) => readonly Value[],
  attributes: Readonly<Record<string, AttributeInput>>,
): Graph =>
  replaceNodes(graph, () => (node) => {
    const [x, matrix] = node.inputs as [Value, Value];
    if (node.op !== 'MatMul' || matrix.constant?.dims.length !== 2) return undefined;
    const [K, N] = matrix.constant.dims as [number, number];
    const r = new Replacement(`${node.name}_packed`);
    r.op(operator, [x, ...packed(matrix)], { K, N, ...attributes }, node.outputs[0]);
    return r.nodes;
  });
