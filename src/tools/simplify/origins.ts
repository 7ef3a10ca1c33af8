import type { GraphProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import type { Attributes, Graph, Node } from '../../graph/graph.js';
import { allNodes } from '../../graph/walk.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

/** The document's message for each node and constant of its graph, before any changes. */
export interface Origins {
  /** Nodes by their attributes object, which a node keeps as long as its meaning does not change. */
  readonly nodes: ReadonlyMap<Attributes, NodeProto>;
  readonly constants: ReadonlyMap<TensorValue, TensorProto>;
}

export function originsOf(graph: Graph, proto: GraphProto): Origins {
  const producers = new Map(proto.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
  const nodes = new Map<Attributes, NodeProto>();
  for (const node of graph.nodes) {
    const producer = producers.get(node.outputs.find((value) => value)?.name ?? '');
    if (producer) nodes.set(node.attributes, producer);
  }
  const tensors = new Map(proto.initializer.map((tensor) => [tensor.name, tensor]));
  const constants = new Map<TensorValue, TensorProto>();
  for (const { name, constant } of [...graph.inputs, ...graph.outputs, ...[...allNodes(graph)].flatMap(operands)]) {
    const tensor = constant && tensors.get(name);
    if (tensor) constants.set(constant, tensor);
  }
  return { nodes, constants };
}

const operands = ({ inputs }: Node) => inputs.filter((value) => value !== null);
