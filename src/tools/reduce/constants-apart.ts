import { type GraphProto, type NodeProto, TensorProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { writeTensorProto } from '../../model/write-attributes.js';
import { withProto } from '../model-of.js';
import { withSubgraphs } from '../surgery/bodies.js';
import { graphOf } from '../surgery/refuse.js';
import { constantOf } from '../surgery/replace/constants.js';

/** Before this IR version, initializers must also be inputs. */
const CONSTANTS_APART = 4;

/** Replaces Constant nodes by initializers, so that they do not count as nodes. */
export function withConstantsApart(model: Model): Model {
  if (toNumber(model.proto.irVersion) < CONSTANTS_APART) return model;
  return withProto(model, withChanges(model.proto, { graph: apart(graphOf(model)) }));
}

function apart(graph: GraphProto): GraphProto {
  const outputs = new Set(graph.output.map(({ name }) => name));
  const tensors = new Map<NodeProto, TensorProto>();
  for (const node of graph.node) {
    const tensor = outputs.has(node.output[0] ?? '') ? undefined : tensorOf(node);
    if (tensor) tensors.set(node, tensor);
  }
  const node = tensors.size > 0 ? graph.node.filter((entry) => !tensors.has(entry)) : graph.node;
  return withChanges(graph, {
    node: changedList(node, (entry) => withSubgraphs(entry, apart)),
    initializer: tensors.size > 0 ? [...graph.initializer, ...tensors.values()] : graph.initializer,
  });
}

/** The tensor of a Constant node. A tensor attribute is kept as it is, including external data. */
function tensorOf(node: NodeProto): TensorProto | undefined {
  const [name = ''] = node.output;
  const [said] = node.attribute;
  if (node.opType === 'Constant' && !node.domain && said?.t) return withChanges(said.t, { name });
  const value = constantOf(node);
  return value && new TensorProto(writeTensorProto(value, name));
}
