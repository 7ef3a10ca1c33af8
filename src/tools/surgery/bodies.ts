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

/** A graph or a function: nodes and names of values. */
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

/** The body itself, the graphs in its nodes, and those that attributes of a function default to. */
export function* bodiesIn(body: Body): Generator<Body> {
  yield body;
  const defaults = isGraph(body) ? [] : body.attributeProto.flatMap(graphsOf);
  for (const graph of [...body.node.flatMap(subgraphsOf), ...defaults]) yield* bodiesIn(graph);
}

/** All bodies of a model: its graph, its functions, those of training, and those inside. */
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

/** The names that get a value in a body, subgraphs aside. */
export function definedIn(body: Body): Set<string> {
  const names = new Set([...inputsOf(body), ...(isGraph(body) ? constantsOf(body) : [])]);
  for (const { output } of body.node) for (const name of output) names.add(name);
  names.delete('');
  return names;
}

const captures = new WeakMap<GraphProto, ReadonlySet<string>>();

/** The names that a graph reads and has not itself. */
export function capturesOf(graph: GraphProto): ReadonlySet<string> {
  const known = captures.get(graph);
  if (known) return known;
  const names = new Set([...outputsOf(graph), ...graph.node.flatMap(readsOf)]);
  for (const name of definedIn(graph)) names.delete(name);
  captures.set(graph, names);
  return names;
}

/** The names that a node reads, those in its subgraphs included. */
export const readsOf = (node: NodeProto): string[] => [
  ...node.input.filter(Boolean),
  ...subgraphsOf(node).flatMap((graph) => [...capturesOf(graph)]),
];

/** The tensors that an annotation of a value speaks of: its scale, its zero point. */
export const parametersOf = ({ quantParameterTensorNames }: TensorAnnotation): string[] =>
  quantParameterTensorNames.map(({ value }) => value);
