import type { AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { toNumber } from '../../model/int64.js';
import { changed } from './changed.js';

/** A graph with what its names stand for, inside others. */
export interface Scope {
  readonly graph: GraphProto;
  readonly outer: Scope | undefined;
  readonly constants: ReadonlyMap<string, TensorProto>;
  readonly producers: ReadonlyMap<string, NodeProto>;
  /** Values that whoever runs the graph gives. */
  readonly given: ReadonlySet<string>;
}

/** Before IR 4, constants are declared as inputs, too. */
const CONSTANTS_APART = 4;

function scopeOf(graph: GraphProto, irVersion: number, outer?: Scope): Scope {
  const constants = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const inputs = graph.input.map(({ name }) => name);
  return {
    graph,
    outer,
    constants,
    producers: new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const))),
    given: new Set(irVersion < CONSTANTS_APART ? inputs.filter((name) => !constants.has(name)) : inputs),
  };
}

/** A constant, and the graph that has it. */
export interface Constant {
  readonly tensor: TensorProto;
  readonly owner: GraphProto;
}

/** The constant that a name stands for; none where a caller may replace it. */
export function constantIn(scope: Scope | undefined, name: string | undefined): Constant | undefined {
  if (!scope || !name || scope.given.has(name) || scope.producers.has(name)) return undefined;
  const tensor = scope.constants.get(name);
  return tensor ? { tensor, owner: scope.graph } : constantIn(scope.outer, name);
}

const graphsOf = ({ attribute }: NodeProto): readonly GraphProto[] =>
  attribute.flatMap(({ g, graphs }) => (g ? [g, ...graphs] : graphs));

/** All nodes of a model's graph and of those inside it, with what their names stand for. */
export function* nodesIn({ graph, irVersion }: ModelProto): Generator<readonly [NodeProto, Scope]> {
  if (graph) yield* nodesOf(scopeOf(graph, toNumber(irVersion)), toNumber(irVersion));
}

function* nodesOf(scope: Scope, irVersion: number): Generator<readonly [NodeProto, Scope]> {
  for (const node of scope.graph.node) {
    yield [node, scope];
    for (const graph of graphsOf(node)) yield* nodesOf(scopeOf(graph, irVersion, scope), irVersion);
  }
}

/** Names that a graph and those inside it have for values and nodes. */
export function namesIn(graph: GraphProto, names = new Set<string>()): Set<string> {
  for (const { name } of [...graph.input, ...graph.initializer]) names.add(name);
  for (const node of graph.node) {
    for (const name of [node.name, ...node.output]) names.add(name);
    for (const inner of graphsOf(node)) namesIn(inner, names);
  }
  return names;
}

/** What takes the place of nodes and is put into graphs. */
export interface Replacements {
  readonly nodes: ReadonlyMap<NodeProto, readonly NodeProto[]>;
  readonly constants: ReadonlyMap<GraphProto, readonly TensorProto[]>;
  /** Nodes that come first. */
  readonly first: ReadonlyMap<GraphProto, readonly NodeProto[]>;
}

/** The graph with nodes replaced, without the constants that only these read. */
export function replaced(graph: GraphProto, replacements: Replacements): GraphProto {
  const { nodes, constants, first } = replacements;
  const node = graph.node.flatMap((old) => nodes.get(old) ?? [withGraphs(old, (g) => replaced(g, replacements))]);
  const isSame = node.length === graph.node.length && node.every((n, i) => n === graph.node[i]);
  if (isSame && !constants.has(graph)) return graph;
  const initializer = [...graph.initializer, ...(constants.get(graph) ?? [])];
  return withoutUnread(graph, changed(graph, { node: [...(first.get(graph) ?? []), ...node], initializer }));
}

function withGraphs(node: NodeProto, change: (graph: GraphProto) => GraphProto): NodeProto {
  if (graphsOf(node).length === 0) return node;
  const attribute = node.attribute.map((a) => withGraph(a, change));
  return attribute.every((a, i) => a === node.attribute[i]) ? node : changed(node, { attribute });
}

function withGraph(attribute: AttributeProto, change: (graph: GraphProto) => GraphProto): AttributeProto {
  const g = attribute.g && change(attribute.g);
  const graphs = attribute.graphs.map(change);
  if (g === attribute.g && graphs.every((graph, i) => graph === attribute.graphs[i])) return attribute;
  return changed(attribute, g ? { g, graphs } : { graphs });
}

function readIn(graph: GraphProto, names = new Set<string>()): Set<string> {
  for (const { name } of graph.output) names.add(name);
  for (const node of graph.node) {
    for (const name of node.input) names.add(name);
    for (const inner of graphsOf(node)) readIn(inner, names);
  }
  return names;
}

/** Without the constants, and the transpositions of them, that were read before and are not now. */
function withoutUnread(before: GraphProto, after: GraphProto): GraphProto {
  const [wasRead, isRead] = [readIn(before), readIn(after)];
  const isLeft = (name: string) => !wasRead.has(name) || isRead.has(name);
  const node = after.node.filter(({ output }) => output.some(isLeft) || output.length === 0);
  if (node.length < after.node.length) return withoutUnread(before, changed(after, { node }));
  const gone = new Set(after.initializer.map(({ name }) => name).filter((name) => !isLeft(name)));
  const remain = <T extends { name: string }>(list: readonly T[]) => list.filter(({ name }) => !gone.has(name));
  return changed(after, {
    initializer: remain(after.initializer),
    input: remain(after.input),
    valueInfo: remain(after.valueInfo),
  });
}
