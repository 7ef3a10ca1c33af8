import type { AttributeProto, Model } from 'sardonyx/model';
import { type Int64, toNumber } from '../../../../src/model/int64.js';
import { nodeId } from '../../graph/outline.js';
import { isGraphForm } from '../contracts/changes.js';
import type { AttributeDetails, GraphFacts, NodeDetails, Pairs, ValueDetails } from '../contracts/details.js';
import type { TensorFacts } from '../contracts/tensors.js';
import { attributeKind, attributeText } from './attribute-text.js';
import { dequantizerOf } from './dequantized.js';
import { type Body, graphAt } from './graph-at.js';
import { stepsOf } from './graph-steps.js';
import { initializerOf, isConstant, tensorsIn } from './tensor-at.js';
import { factsOf } from './tensor-facts.js';

export function describeNode({ proto }: Model, path: string, index: number): NodeDetails {
  const node = graphAt(proto, path).node[index];
  if (!node) throw new Error(`node ${index} no longer exists`);
  const called = proto.functions.find(({ domain, name }) => domain === node.domain && name === node.opType);
  return {
    version: versionsAt(proto, path).get(node.domain === 'ai.onnx' ? '' : node.domain),
    doc: node.docString,
    overload: node.overload,
    metadata: pairs(node.metadataProps),
    attributes: node.attribute.map((attribute) => describeAttribute(attribute, path, index)),
    ...(called && { calls: `function/${called.domain}:${called.name}` }),
  };
}

const pairs = (entries: readonly { key: string; value: string }[] | undefined): Pairs =>
  (entries ?? []).map(({ key, value }) => [key, value] as const);

/** Opset versions by domain at a path; functions import their own. */
export function versionsAt(proto: Model['proto'], path: string): Map<string, number> {
  const [, name] = /^function\/([^/]+)/.exec(path) ?? [];
  const around = proto.functions.find((each) => `${each.domain}:${each.name}` === name) ?? proto;
  return new Map(
    around.opsetImport.map(({ domain, version }) => [domain === 'ai.onnx' ? '' : domain, toNumber(version as Int64)]),
  );
}

function describeAttribute(attribute: AttributeProto, path: string, node: number): AttributeDetails {
  const { name, refAttrName } = attribute;
  const kind = attributeKind(attribute);
  return {
    name,
    kind,
    text: attributeText(attribute),
    doc: attribute.docString,
    tensors: tensorsIn(attribute).map((tensor, at) => factsOf(tensor, { graph: path, node, attribute: name, at })),
    ...(isGraphForm(kind) && !refAttrName && { graphs: graphsIn(attribute, nodeId(path, node)) }),
  };
}

const graphsIn = (attribute: AttributeProto, node: string): GraphFacts[] =>
  stepsOf(attribute).map(([title, { name }]) => ({ path: `${node}/${title}`, title, name }));

export function describeValue({ proto }: Model, path: string, name: string): ValueDetails {
  const graph = graphAt(proto, path);
  const infos = [...graph.input, ...graph.output, ...graph.valueInfo];
  const info = infos.find((each) => each.name === name);
  const annotation = graph.quantizationAnnotation?.find(({ tensorName }) => tensorName === name);
  const tensor = constantOf(graph, path, name);
  return {
    doc: info?.docString ?? '',
    metadata: pairs(info?.metadataProps),
    quantization: pairs(annotation?.quantParameterTensorNames),
    ...(tensor && { tensor }),
  };
}

function constantOf(graph: Body, path: string, name: string): TensorFacts | undefined {
  const initializer = initializerOf(graph, name);
  if (initializer) return { ...factsOf(initializer, { graph: path, name }), isQuantized: !!dequantizerOf(graph, name) };
  const node = graph.node.findIndex((each) => isConstant(each) && each.output[0] === name);
  const attribute = graph.node[node]?.attribute.find((each) => tensorsIn(each).length > 0);
  const [tensor] = tensorsIn(attribute);
  return tensor && factsOf(tensor, { graph: path, node, attribute: attribute?.name ?? '', at: 0 });
}
