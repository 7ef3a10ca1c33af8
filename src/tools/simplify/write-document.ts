import {
  type GraphProto,
  ModelProto,
  type NodeProto,
  type TensorProto,
  type TensorShapeProto,
  type TypeProto,
  type ValueInfoProto,
} from '../../../build/onnx.js';
import { subgraphsOf } from '../../graph/captures.js';
import type { Node, Model as RuntimeModel } from '../../graph/graph.js';
import { withChanges, withFields } from '../../model/document/changed.js';
import { decodeExactly } from '../../model/document/decode.js';
import { toNumber } from '../../model/int64.js';
import { writeModel } from '../../model/write-model.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import type { Origins } from './origins.js';

/** The external location that marks a constant of the original document. */
const OWN = '\0origin';

/**
 * Converts a model in the runtime's form back to a document. Unchanged parts are the original messages, including
 * fields that the runtime does not read and weights that stay in their files.
 */
export function writeDocument(model: RuntimeModel, original: ModelProto, origins: Origins): ModelProto {
  const own: TensorProto[] = [];
  const external = (constant: TensorValue) => {
    const tensor = origins.constants.get(constant);
    return tensor && { location: OWN, offset: own.push(tensor) - 1, length: 0 };
  };
  const written = decodeExactly(ModelProto, writeModel(withoutKept(model, origins), { external }), 'model');
  const { functions, opsetImport, irVersion } = written;
  const graph = restored(model.graph.nodes, written.graph as GraphProto, original.graph as GraphProto, origins, own);
  return withChanges(original, {
    graph,
    ...(toNumber(irVersion) > toNumber(original.irVersion) && { irVersion }),
    ...(functions.length < original.functions.length && { functions, opsetImport }),
  });
}

/** Removes attributes that are taken from the original document, to avoid writing them. */
function withoutKept(model: RuntimeModel, origins: Origins): RuntimeModel {
  const bare = (node: Node): Node =>
    origins.nodes.has(node.attributes) && subgraphsOf(node).length === 0 ? { ...node, attributes: {} } : node;
  return { ...model, graph: { ...model.graph, nodes: model.graph.nodes.map(bare) } };
}

function restored(
  nodes: readonly Node[],
  written: GraphProto,
  original: GraphProto,
  origins: Origins,
  own: readonly TensorProto[],
): GraphProto {
  const sparse = new Map(original.sparseInitializer.map((tensor) => [tensor.values?.name, tensor]));
  const defaults = new Map(original.initializer.map((tensor) => [tensor.name, tensor]));
  const isDefault = new Set(original.input.map(({ name }) => name));
  const tensorOf = (made: TensorProto): TensorProto => {
    const offset = made.externalData.find(({ key }) => key === 'offset')?.value;
    if (offset !== undefined) return withChanges(own[Number(offset)] as TensorProto, { name: made.name });
    return (isDefault.has(made.name) && defaults.get(made.name)) || made;
  };
  const dense = written.initializer.filter(({ name }) => !sparse.has(name));
  const left = new Set(written.initializer.map(({ name }) => name));
  const described = new Set(written.valueInfo.map(({ name }) => name));
  const node = written.node.map((made, i) => restoredNode(made, nodes[i] as Node, origins));
  const names = new Set([...left, ...node.flatMap(({ input, output }) => [...input, ...output])]);
  return asBefore(original, {
    node,
    initializer: dense.map(tensorOf),
    sparseInitializer: original.sparseInitializer.filter(({ values }) => left.has(values?.name ?? '')),
    input: borders(written.input, original.input),
    output: borders(written.output, original.output),
    valueInfo: original.valueInfo.filter(({ name }) => described.has(name)),
    quantizationAnnotation: original.quantizationAnnotation.filter(({ tensorName }) => names.has(tensorName)),
  });
}

/**
 * Restores the original message of a node, with its current inputs and outputs. A node with subgraphs only keeps its
 * documentation and metadata.
 */
function restoredNode(made: NodeProto, node: Node, { nodes }: Origins): NodeProto {
  const origin = nodes.get(node.attributes);
  if (origin?.opType !== made.opType || origin.domain !== made.domain) return made;
  const { docString, metadataProps } = origin;
  if (subgraphsOf(node).length > 0) return withFields(made, { docString, metadataProps });
  return asBefore(origin, { input: made.input, output: made.output });
}

const borders = (made: readonly ValueInfoProto[], original: readonly ValueInfoProto[]): ValueInfoProto[] =>
  made.map((value) => border(value, original.find(({ name }) => name === value.name) as ValueInfoProto));

const shapeOf = ({ type }: ValueInfoProto) => type?.tensorType?.shape;

/**
 * Restores the original declaration of an input or output, with sizes that were fixed. The reader gives unnamed sizes
 * symbols.
 */
function border(made: ValueInfoProto, before: ValueInfoProto): ValueInfoProto {
  const [now, then] = [shapeOf(made)?.dim, shapeOf(before)?.dim];
  if (now?.length !== then?.length) return withFields(before, { type: made.type });
  const isFixed = now?.map(({ dimValue }, i) => dimValue != null && then?.[i]?.dimValue == null);
  if (!isFixed?.includes(true)) return before;
  const dim = isFixed.map((fixed, i) => (fixed ? now : then)?.[i]) as TensorShapeProto['dim'];
  const { type } = before as { type: TypeProto };
  const tensorType = withFields(type.tensorType as TypeProto.Tensor, {
    shape: withFields(shapeOf(before) as TensorShapeProto, { dim }),
  });
  return withFields(before, { type: withFields(type, { tensorType }) });
}

/** Replaces lists of a message. Returns the same message if their contents are the same. */
function asBefore<T extends object>(message: T, lists: { readonly [K in keyof T]?: T[K] & readonly unknown[] }): T {
  const changed = Object.entries(lists as Record<string, readonly unknown[]>).filter(([name, made]) => {
    const before = message[name as keyof T] as readonly unknown[];
    return made.length !== before.length || made.some((item, i) => item !== before[i]);
  });
  return withChanges(message, Object.fromEntries(changed) as Partial<T>);
}
