import type {
  AttributeProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  TensorAnnotation,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';

/** A graph or a function. */
export type Body = GraphProto | FunctionProto;

export const isGraph = (body: Body): body is GraphProto => 'initializer' in body;

export const graphsOf = ({ g, graphs }: AttributeProto): GraphProto[] => (g ? [g, ...graphs] : graphs);

export const subgraphsOf = ({ attribute }: NodeProto): GraphProto[] => attribute.flatMap(graphsOf);

export const withSubgraphs = (node: NodeProto, change: (graph: GraphProto) => GraphProto): NodeProto =>
  withChanges(node, { attribute: changedList(node.attribute, (attribute) => withGraphs(attribute, change)) });

export const withGraphs = (attribute: AttributeProto, change: (graph: GraphProto) => GraphProto): AttributeProto =>
  withChanges(attribute, {
    ...(attribute.g && { g: change(attribute.g) }),
    graphs: changedList(attribute.graphs, change),
  });

/** Yields a body, the subgraphs of its nodes, and those in default values of a function's attributes. */
export function* bodiesIn(body: Body): Generator<Body> {
  yield body;
  const defaults = isGraph(body) ? [] : body.attributeProto.flatMap(graphsOf);
  for (const graph of [...body.node.flatMap(subgraphsOf), ...defaults]) yield* bodiesIn(graph);
}

/** Yields all bodies of a model: its graph, functions and training graphs, with their subgraphs. */
export function* bodiesOf({ graph, functions, trainingInfo }: ModelProto): Generator<Body> {
  const training = trainingInfo.flatMap(({ initialization, algorithm }) => [initialization, algorithm]);
  for (const body of [graph, ...functions, ...training]) if (body) yield* bodiesIn(body);
}

const nameOf = (border: string | ValueInfoProto): string => (typeof border === 'string' ? border : border.name);

export const inputsOf = ({ input }: Body): string[] => (input as (string | ValueInfoProto)[]).map(nameOf);

export const outputsOf = ({ output }: Body): string[] => (output as (string | ValueInfoProto)[]).map(nameOf);

export const constantsOf = (graph: GraphProto): string[] => [
  ...graph.initializer.map(({ name }) => name),
  ...graph.sparseInitializer.flatMap(({ values }) => values?.name ?? []),
];

/** The names of values that a body defines, without those of subgraphs. */
export function definedIn(body: Body): Set<string> {
  const names = new Set([...inputsOf(body), ...(isGraph(body) ? constantsOf(body) : [])]);
  for (const { output } of body.node) for (const name of output) names.add(name);
  names.delete('');
  return names;
}

const captures = new WeakMap<GraphProto, ReadonlySet<string>>();

/** The names of outer values that a graph reads. */
export function capturesOf(graph: GraphProto): ReadonlySet<string> {
  const known = captures.get(graph);
  if (known) return known;
  const names = new Set([...outputsOf(graph), ...graph.node.flatMap(readsOf)]);
  for (const name of definedIn(graph)) names.delete(name);
  captures.set(graph, names);
  return names;
}

/** The names that a node and its subgraphs read. */
export const readsOf = (node: NodeProto): string[] => [
  ...node.input.filter(Boolean),
  ...subgraphsOf(node).flatMap((graph) => [...capturesOf(graph)]),
];

/** The names of the scale and zero point in a quantization annotation. */
export const parametersOf = ({ quantParameterTensorNames }: TensorAnnotation): string[] =>
  quantParameterTensorNames.map(({ value }) => value);
