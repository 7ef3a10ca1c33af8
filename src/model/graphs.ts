import type { GraphProto, NodeProto, TensorProto, ValueInfoProto } from '../../build/onnx.js';
import { type ErrorPlace, SardonyxError } from '../base/errors.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import type { Place } from '../graph/origin.js';
import { modelPlace } from '../graph/origins.js';
import { admits, formatType, tensorType } from '../graph/types.js';
import { operatorName } from '../graph/walk.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { type AttributeContext, readAttributes } from './attributes.js';
import type { ExternalData } from './external-data.js';
import { Scope } from './scope.js';
import { densify, readSparse } from './sparse.js';
import { readInitializer } from './tensors.js';
import { topologicalOrder } from './topological-order.js';
import { type DimSymbols, readType } from './types.js';

/** State that all graphs of a model share. */
export interface ModelContext {
  readonly external: ExternalData | undefined;
  readonly symbols: DimSymbols;
  /** Number of nodes read so far; used in the name of an unnamed node. */
  nodes: number;
}

export const domainOf = (domain: string): string => (domain === 'ai.onnx' ? '' : domain);

export function readGraph(proto: GraphProto, context: ModelContext, place = modelPlace(), outer?: Scope): Graph {
  const scope = new Scope(outer);
  const inputs = proto.input.map((info) => declareTyped(scope, info, context.symbols));
  const constants = readInitializers(proto, context.external);
  for (const [name, constant] of constants) setConstant(scope.own(name) ?? scope.declare(name), constant);
  const nodes = readNodes(proto.node, scope, context, place);
  const outputs = proto.output.map(({ name, type }) => {
    const value = requireValue(scope, name, 'is an output of the graph, but not defined');
    value.type ??= readType(type, context.symbols, name);
    return value;
  });
  for (const { name, type } of proto.valueInfo) {
    const value = scope.own(name);
    if (value) value.type ??= readType(type, context.symbols, name);
  }
  return { name: proto.name, inputs, outputs, nodes };
}

/** Reads nodes into `scope`, and sorts them topologically, because the file may not. */
export function readNodes(protos: readonly NodeProto[], scope: Scope, context: ModelContext, place: Place): Node[] {
  const outputs = protos.map((proto, index) =>
    proto.output.map((name) => (name === '' ? null : inPlace(proto, () => scope.declare(name, index)))),
  );
  const inner = attributeContext(scope, context, place);
  const nodes = protos.map((proto, index) => {
    scope.node = index;
    const node = readNode(proto, outputs[index] ?? [], scope, context, inner);
    node.origins = [{ index, place }];
    return node;
  });
  scope.node = -1;

  const order = topologicalOrder(nodes.length, (index) => scope.needed(index));
  if (Array.isArray(order)) return order.map((index) => nodes[index] as Node);
  const names = order.cycle.map((index) => `"${nodes[index]?.name}"`).join(', ');
  throw new SardonyxError('INVALID_MODEL', `the nodes ${names} form a cycle`);
}

/** The context of attributes; graphs in them see the values of `scope`. */
export const attributeContext = (scope: Scope, context: ModelContext, place: Place): AttributeContext => ({
  external: context.external,
  symbols: context.symbols,
  readGraph: (proto, attribute) =>
    readGraph(proto, context, { holder: { index: scope.node, place }, attribute }, scope),
});

function readNode(
  proto: NodeProto,
  outputs: (Value | null)[],
  scope: Scope,
  context: ModelContext,
  inner: AttributeContext,
): Node {
  if (!proto.opType) throw new SardonyxError('INVALID_MODEL', 'a node has no operator', { node: proto.name });
  const name = proto.name || `${proto.opType}_${context.nodes}`;
  context.nodes++;
  const domain = domainOf(proto.domain);
  const place = { node: name, operator: operatorName({ domain, op: proto.opType }) };
  const inputs = proto.input.map((input) =>
    input === '' ? null : requireValue(scope, input, 'is used, but not defined', place),
  );
  const attributes = within(place, () => readAttributes(proto.attribute, inner));
  const node = { name, domain, op: proto.opType, inputs, outputs, attributes };
  return proto.overload ? { ...node, overload: proto.overload } : node;
}

function readInitializers(proto: GraphProto, external: ExternalData | undefined): Map<string, TensorValue> {
  const constants = new Map<string, TensorValue>();
  const add = ({ name }: Pick<TensorProto, 'name'>, constant: TensorValue) => {
    if (!name) throw new SardonyxError('INVALID_MODEL', 'an initializer has no name');
    if (constants.has(name)) throw new SardonyxError('INVALID_MODEL', 'has two initializers', { value: name });
    constants.set(name, constant);
  };
  for (const tensor of proto.initializer) add(tensor, readInitializer(tensor, external));
  for (const sparse of proto.sparseInitializer) {
    const tensor = readSparse(sparse, external);
    const name = sparse.values?.name ?? '';
    add({ name }, densify(tensor, name));
  }
  return constants;
}

/** An input keeps its declared type, which its default must match. */
function setConstant(value: Value, constant: TensorValue): void {
  const type = tensorType(constant.type, constant.dims);
  if (value.type && !admits(value.type, constant))
    throw new SardonyxError('INVALID_MODEL', `is ${formatType(type)}, but declared ${formatType(value.type)}`, {
      value: value.name,
    });
  value.type ??= type;
  value.constant = constant;
}

function declareTyped(scope: Scope, { name, type }: ValueInfoProto, symbols: DimSymbols): Value {
  if (!name) throw new SardonyxError('INVALID_MODEL', 'an input of the graph has no name');
  const value = scope.declare(name);
  const known = readType(type, symbols, name);
  if (known) value.type = known;
  return value;
}

export function requireValue(scope: Scope, name: string, complaint: string, place: ErrorPlace = {}): Value {
  const value = scope.use(name);
  if (value) return value;
  throw new SardonyxError('INVALID_MODEL', complaint, { ...place, value: name });
}

const inPlace = <T>(proto: NodeProto, read: () => T): T =>
  within({ operator: proto.opType, ...(proto.name && { node: proto.name }) }, read);

/** Adds the node to errors that do not name one. */
function within<T>(place: ErrorPlace, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SardonyxError) || error.place.operator) throw error;
    throw new SardonyxError(error.code, error.complaint, { ...place, ...error.place }, { cause: error.cause });
  }
}
