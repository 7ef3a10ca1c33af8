import {
  type AttributeProto,
  type FunctionProto,
  type GraphProto,
  type NodeProto,
  type SparseTensorProto,
  TensorProto,
  ValueInfoProto,
} from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { changedList, withChanges } from '../../../model/document/changed.js';
import { topologicalOrder } from '../../../model/topological-order.js';
import { type Body, graphsOf, isGraph, parametersOf, withGraphs } from '../bodies.js';
import { filtered } from '../filtered.js';
import { renamedNode } from '../rename.js';
import type { EditedGraph, EditedNode, EditedValue } from './graph.js';

/** Writes an edited graph or function. Unchanged parts are the original messages. */
export function writtenBody<B extends Body>(graph: EditedGraph & { readonly source: B }): B;
export function writtenBody(graph: EditedGraph): Body {
  const there = new Set(graph.values);
  const node = same(
    graph.source.node,
    sorted(graph).map((entry) => writtenNode(entry)),
  );
  refuseMissing(graph, there);
  const border = new Set([...graph.inputs, ...graph.outputs]);
  const told = [...there].filter((value) => value.info && !(isGraph(graph.source) && border.has(value)));
  const valueInfo = same(graph.source.valueInfo, inOrder(graph.source.valueInfo, told).map(infoOf));
  if (!isGraph(graph.source)) return writtenFunction(graph, graph.source, { node, valueInfo });
  return withChanges<GraphProto>(graph.source, {
    node,
    valueInfo,
    input: same(graph.source.input, graph.inputs.map(infoOf)),
    output: same(graph.source.output, graph.outputs.map(infoOf)),
    initializer: same(
      graph.source.initializer,
      graph.constants.flatMap((value) =>
        value.constant instanceof TensorProto ? [namedTensor(value, value.constant)] : [],
      ),
    ),
    sparseInitializer: same(
      graph.source.sparseInitializer,
      graph.constants.flatMap(({ constant, name }) =>
        constant && !(constant instanceof TensorProto) ? [namedSparse(constant, name)] : [],
      ),
    ),
    quantizationAnnotation: writtenAnnotations(graph, graph.source, there),
  });
}

const writtenFunction = (
  graph: EditedGraph,
  source: FunctionProto,
  fields: Pick<FunctionProto, 'node' | 'valueInfo'>,
): FunctionProto =>
  withChanges(source, {
    ...fields,
    input: same(
      source.input,
      graph.inputs.map(({ name }) => name),
    ),
    output: same(
      source.output,
      graph.outputs.map(({ name }) => name),
    ),
  });

/** Returns the first list if both are equal. */
const same = <T>(before: T[], after: T[]): T[] =>
  before.length === after.length && after.every((entry, i) => entry === before[i]) ? before : after;

/** Sorts values by the order of their declarations; others follow. */
function inOrder(infos: readonly ValueInfoProto[], values: readonly EditedValue[]): EditedValue[] {
  const places = new Map(infos.map((info, i) => [info, i]));
  const place = ({ info }: EditedValue) => places.get(info as ValueInfoProto) ?? infos.length;
  return [...values].sort((a, b) => place(a) - place(b));
}

const infoOf = ({ info, name }: EditedValue): ValueInfoProto =>
  info ? withChanges(info, { name }) : new ValueInfoProto({ name });

const namedTensor = ({ name }: EditedValue, constant: TensorProto): TensorProto => withChanges(constant, { name });

const namedSparse = (sparse: SparseTensorProto, name: string): SparseTensorProto =>
  sparse.values ? withChanges(sparse, { values: withChanges(sparse.values, { name }) }) : sparse;

/** The quantization annotations of values that still exist. */
function writtenAnnotations(graph: EditedGraph, source: GraphProto, there: ReadonlySet<EditedValue>) {
  const isThere = (name: string) => there.has(graph.originals.get(name) as EditedValue);
  const now = (name: string) => graph.originals.get(name)?.name ?? name;
  const kept = filtered(
    source.quantizationAnnotation,
    (entry) => isThere(entry.tensorName) && parametersOf(entry).every(isThere),
  );
  return changedList(kept, (entry) =>
    withChanges(entry, {
      tensorName: now(entry.tensorName),
      quantParameterTensorNames: changedList(entry.quantParameterTensorNames, (parameter) =>
        withChanges(parameter, { value: now(parameter.value) }),
      ),
    }),
  );
}

function writtenNode(node: EditedNode): NodeProto {
  const { source, name, op: opType, domain } = node;
  const now = (former: string) => node.graph.originals.get(former)?.name ?? former;
  const { deviceConfigurations } = renamedNode(withChanges(source, { attribute: [] }), now);
  return withChanges(source, {
    name,
    opType,
    domain,
    deviceConfigurations,
    input: same(source.input, namesOf(node.inputs)),
    output: same(source.output, namesOf(node.outputs)),
    attribute: same(
      source.attribute,
      [...node.protos.values()].map((attribute) => writtenAttribute(attribute, node)),
    ),
  });
}

/** The names of operands; '' for omitted ones. */
function namesOf(values: readonly (EditedValue | null)[]): string[] {
  return values.map((value) => value?.name ?? '');
}

function writtenAttribute(attribute: AttributeProto, node: EditedNode): AttributeProto {
  const graphs = node.subgraphs.get(attribute.name);
  if (!graphs) return attribute;
  const written = new Map(graphsOf(attribute).map((source, i) => [source, graphs[i] as EditedGraph]));
  return withGraphs(attribute, (source) => writtenBody(written.get(source) as EditedGraph & { source: GraphProto }));
}

/** Sorts nodes topologically, and otherwise keeps their order. */
function sorted(graph: EditedGraph): readonly EditedNode[] {
  const { nodes } = graph;
  const places = new Map(nodes.map((node, i) => [node, i]));
  const needed = nodes.map((node) =>
    node.operands.flatMap((value) => (value?.producer && places.get(value.producer)) ?? []),
  );
  if (needed.every((producers, i) => producers.every((producer) => producer < i))) return nodes;
  const order = topologicalOrder(nodes.length, (i) => needed[i] ?? []);
  if (Array.isArray(order)) return order.map((i) => nodes[i] as EditedNode);
  const cycle = (order as { cycle: readonly number[] }).cycle.map((i) => nodes[i]?.name || nodes[i]?.op);
  throw new SardonyxError('INVALID_GRAPH', `the graph has a cycle: ${cycle.join(', ')}`);
}

/** Throws if a value that is read is not produced in the graph or an outer graph. */
function refuseMissing(graph: EditedGraph, own: ReadonlySet<EditedValue>): void {
  const refuse = (value: EditedValue | null, reader?: EditedNode) => {
    if (!value || own.has(value) || (value.graph !== graph && isAround(value.graph, graph))) return;
    const place = { value: value.name, ...(reader && { node: reader.name, operator: reader.op }) };
    throw new SardonyxError('INVALID_GRAPH', 'no node, input or constant produces this value', place);
  };
  for (const node of graph.nodes) for (const value of node.inputs) refuse(value, node);
  for (const value of graph.outputs) refuse(value);
}

function isAround(outer: EditedGraph, inner: EditedGraph): boolean {
  for (let graph = inner.parent; graph; graph = graph.parent) if (graph === outer) return true;
  return false;
}
