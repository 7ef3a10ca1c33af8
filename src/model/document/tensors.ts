import type { AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { changedList, withChanges } from './changed.js';

/** The position of a tensor in the model. */
export type Place = 'initializer' | 'attribute';

export type TensorChange = (tensor: TensorProto, place: Place) => TensorProto;

/** Replaces tensors of the model, including those of subgraphs, functions and training. */
export function withTensors(proto: ModelProto, change: TensorChange): ModelProto {
  return withChanges(proto, {
    ...(proto.graph && { graph: inGraph(proto.graph, change) }),
    functions: changedList(proto.functions, (definition) =>
      withChanges(definition, { node: inNodes(definition.node, change) }),
    ),
    trainingInfo: changedList(proto.trainingInfo, (info) =>
      withChanges(info, {
        ...(info.initialization && { initialization: inGraph(info.initialization, change) }),
        ...(info.algorithm && { algorithm: inGraph(info.algorithm, change) }),
      }),
    ),
  });
}

const inGraph = (graph: GraphProto, change: TensorChange): GraphProto =>
  withChanges(graph, {
    initializer: changedList(graph.initializer, (tensor) => change(tensor, 'initializer')),
    node: inNodes(graph.node, change),
  });

const inNodes = (nodes: readonly NodeProto[], change: TensorChange): NodeProto[] =>
  changedList(nodes, (node) =>
    withChanges(node, { attribute: changedList(node.attribute, (attribute) => inAttribute(attribute, change)) }),
  );

const inAttribute = (attribute: AttributeProto, change: TensorChange): AttributeProto =>
  withChanges(attribute, {
    ...(attribute.t && { t: change(attribute.t, 'attribute') }),
    ...(attribute.g && { g: inGraph(attribute.g, change) }),
    tensors: changedList(attribute.tensors, (tensor) => change(tensor, 'attribute')),
    graphs: changedList(attribute.graphs, (graph) => inGraph(graph, change)),
  });

/** The tensors of a model that satisfy `isWanted`; parts of sparse tensors are not included. */
export function tensorsOf(proto: ModelProto, isWanted: (tensor: TensorProto, place: Place) => boolean): TensorProto[] {
  const found = new Set<TensorProto>();
  withTensors(proto, (tensor, place) => {
    if (isWanted(tensor, place)) found.add(tensor);
    return tensor;
  });
  return [...found];
}
