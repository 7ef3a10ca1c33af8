import {
  type FunctionProto,
  type GraphProto,
  ModelProto,
  type NodeProto,
  TensorProto,
  type ValueInfoProto,
} from '../../build/onnx.js';
import type { FunctionDefinition, Graph, Model, Node, SparseTensor, Value } from '../graph/graph.js';
import { hasNamedBorders, madeBorders } from '../graph/named-borders.js';
import { subgraphs } from '../graph/walk.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { fromNumber } from './int64.js';
import {
  type FilePlace,
  writeAttribute,
  writeExternalTensor,
  writeSparse,
  writeTensorProto,
  writeType,
} from './write-attributes.js';
import { encode } from './write-protobuf.js';

/** The first IR version in which initializers need not be graph inputs. */
const FREE_INITIALIZERS = 4;

export interface WriteOptions {
  /** Constants to be stored as sparse tensors. */
  readonly sparse?: ReadonlyMap<Value, SparseTensor>;
  /** The external place of a constant's bytes, if they are not to be in the model file. */
  readonly external?: (constant: TensorValue) => FilePlace | undefined;
}

/**
 * Serializes a model; tensors become raw data. Values with colliding names are renamed, inputs and outputs of the graph only as a last
 * resort; values that subgraphs refer to by name keep theirs.
 */
export function writeModel(model: Model, options: WriteOptions = {}): Uint8Array {
  const names = new Names();
  const constants = freeConstants(model.graph);
  names.declare([...model.graph.inputs, ...model.graph.outputs, ...constants]);
  const graph = writeGraph(model.graph, names);
  for (const value of constants) addInitializer(graph, value, names, options);
  const message: ModelProto.$Properties = {
    irVersion: Math.max(model.irVersion, FREE_INITIALIZERS),
    producerName: model.producer,
    opsetImport: writeOpsets(model.opsets),
    metadataProps: [...model.metadata].map(([key, value]) => ({ key, value })),
    functions: model.functions.map(writeFunction),
    graph,
  };
  return encode(ModelProto, message);
}

/** Serializes a tensor as a TensorProto file. */
export const writeTensor = (tensor: TensorValue, name = ''): Uint8Array =>
  encode(TensorProto, writeTensorProto(tensor, name));

/** Assigns each value a name that is unique in the graph and its outer graphs. */
class Names {
  private readonly names = new Map<Value, string>();
  private readonly taken = new Set<string>();

  constructor(private readonly outer?: Names) {}

  declare(values: Iterable<Value | null>): void {
    for (const value of values) {
      if (!value || this.find(value) !== undefined) continue;
      let name = value.name;
      for (let n = 1; name === '' || this.isTaken(name); n++) name = `${value.name}_${n}`;
      this.taken.add(name);
      this.names.set(value, name);
    }
  }

  /** Keeps the names of values, even if an outer graph uses them too. */
  keep(values: Iterable<Value>): void {
    for (const value of values) {
      this.taken.add(value.name);
      this.names.set(value, value.name);
    }
  }

  has(value: Value): boolean {
    return this.find(value) !== undefined;
  }

  of(value: Value | null): string {
    return value ? (this.find(value) ?? value.name) : '';
  }

  private find(value: Value): string | undefined {
    return this.names.get(value) ?? this.outer?.find(value);
  }

  private isTaken(name: string): boolean {
    return this.taken.has(name) || (this.outer?.isTaken(name) ?? false);
  }
}

function writeGraph(graph: Graph, names: Names): GraphProto.$Properties {
  names.declare([...graph.inputs, ...graph.nodes.flatMap(({ outputs }) => outputs)]);
  const written: GraphProto.$Properties = {
    name: graph.name,
    node: graph.nodes.map((node) => writeNode(node, names)),
    input: graph.inputs.map((value) => writeInfo(value, names)),
    output: graph.outputs.map((value) => writeInfo(value, names)),
    valueInfo: graph.nodes
      .flatMap(({ outputs }) => outputs)
      .filter((value): value is Value => value?.type !== undefined && !graph.outputs.includes(value))
      .map((value) => writeInfo(value, names)),
    initializer: [],
    sparseInitializer: [],
  };
  for (const value of graph.inputs) addInitializer(written, value, names);
  return written;
}

/**
 * Writes a subgraph, whose outputs must be results of its own nodes: a constant output becomes a Constant node, and a captured one is
 * copied.
 */
function writeSubgraph(graph: Graph, around: Names, keepsNames: boolean): GraphProto.$Properties {
  const names = new Names(around);
  const made = new Set<Value | null>([...graph.inputs, ...graph.nodes.flatMap(({ outputs }) => outputs)]);
  const nodes = [...graph.nodes];
  const outputs = graph.outputs.map((value) => {
    if (made.has(value)) return value;
    const isOwn = value.constant !== undefined && !around.has(value);
    const result = isOwn ? value : { ...value, name: `${value.name}/copy` };
    nodes.push(isOwn ? constantNode(value) : copyNode(value, result));
    return result;
  });
  const written = { ...graph, nodes, outputs };
  if (keepsNames) names.keep(madeBorders(written));
  return writeGraph(written, names);
}

const constantNode = (value: Value): Node => ({
  name: value.name,
  domain: '',
  op: 'Constant',
  inputs: [],
  outputs: [value],
  attributes: { value: { type: 'tensor', value: value.constant as TensorValue } },
});

const copyNode = (value: Value, result: Value): Node => ({
  name: result.name,
  domain: '',
  op: 'Identity',
  inputs: [value],
  outputs: [result],
  attributes: {},
});

function writeFunction(definition: FunctionDefinition): FunctionProto.$Properties {
  const { graph, domain, name, overload, attributes, defaults, opsets } = definition;
  const names = new Names();
  const constants = freeConstants(graph);
  names.declare([...graph.inputs, ...graph.outputs, ...constants, ...graph.nodes.flatMap(({ outputs }) => outputs)]);
  return {
    domain,
    name,
    overload,
    attribute: [...attributes],
    attributeProto: Object.entries(defaults).map(([key, value]) =>
      writeAttribute(key, value, (inner) => writeSubgraph(inner, names, false)),
    ),
    opsetImport: writeOpsets(opsets),
    input: graph.inputs.map((value) => names.of(value)),
    output: graph.outputs.map((value) => names.of(value)),
    node: [...constants.map(constantNode), ...graph.nodes].map((node) => writeNode(node, names)),
  };
}

function writeNode(node: Node, names: Names): NodeProto.$Properties {
  return {
    name: node.name,
    domain: node.domain,
    opType: node.op,
    overload: node.overload ?? null,
    input: node.inputs.map((value) => names.of(value)),
    output: node.outputs.map((value) => names.of(value)),
    attribute: Object.entries(node.attributes).map(([name, attribute]) =>
      writeAttribute(name, attribute, (graph) => writeSubgraph(graph, names, hasNamedBorders(node.domain, node.op))),
    ),
  };
}

/** Constants that no node or graph input provides, except the outputs of subgraphs. */
function freeConstants(graph: Graph): Value[] {
  const found = new Set<Value>();
  const bound = new Set<Value>();
  const visit = ({ inputs, nodes }: Graph): void => {
    for (const value of inputs) bound.add(value);
    for (const node of nodes) {
      for (const value of node.outputs) if (value) bound.add(value);
      for (const value of node.inputs) if (value?.constant) found.add(value);
      for (const [, inner] of subgraphs(node)) visit(inner);
    }
  };
  visit(graph);
  for (const value of graph.outputs) if (value.constant) found.add(value);
  return [...found].filter((value) => !bound.has(value));
}

function addInitializer(
  graph: GraphProto.$Properties,
  value: Value,
  names: Names,
  { sparse, external }: WriteOptions = {},
): void {
  if (!value.constant) return;
  const name = names.of(value);
  const stored = sparse?.get(value);
  const place = external?.(value.constant);
  if (stored) graph.sparseInitializer?.push(writeSparse(stored, name));
  else if (place) graph.initializer?.push(writeExternalTensor(value.constant, name, place));
  else graph.initializer?.push(writeTensorProto(value.constant, name));
}

const writeInfo = (value: Value, names: Names): ValueInfoProto.$Properties => ({
  name: names.of(value),
  type: value.type ? writeType(value.type) : null,
});

const writeOpsets = (opsets: ReadonlyMap<string, number>) =>
  [...opsets].map(([domain, version]) => ({ domain, version: fromNumber(version) }));
