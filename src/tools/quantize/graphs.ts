import type { GraphProto, ModelProto, NodeProto, TensorProto } from '../../../build/onnx.js';
import { toNumber } from '../../model/int64.js';

/** A graph with its constants and producers by name, and the enclosing graph. */
export interface Scope {
  readonly graph: GraphProto;
  readonly outer: Scope | undefined;
  readonly constants: ReadonlyMap<string, TensorProto>;
  readonly producers: ReadonlyMap<string, NodeProto>;
  /** Inputs that the caller provides. */
  readonly given: ReadonlySet<string>;
}

/** Before IR version 4, initializers must also be inputs. */
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

export const outermostScope = (graph: GraphProto, { irVersion }: ModelProto): Scope =>
  scopeOf(graph, toNumber(irVersion));

/** A constant and its graph. */
export interface Constant {
  readonly tensor: TensorProto;
  readonly owner: GraphProto;
}

/** The constant with a name; undefined if it can be replaced by a caller. */
export function constantIn(scope: Scope | undefined, name: string | undefined): Constant | undefined {
  if (!scope || !name || scope.given.has(name) || scope.producers.has(name)) return undefined;
  const tensor = scope.constants.get(name);
  return tensor ? { tensor, owner: scope.graph } : constantIn(scope.outer, name);
}

export const graphsOf = ({ attribute }: NodeProto): readonly GraphProto[] =>
  attribute.flatMap(({ g, graphs }) => (g ? [g, ...graphs] : graphs));

/** Yields all nodes of a model, including those of subgraphs, with their scopes. */
export function* nodesIn({ graph, irVersion }: ModelProto): Generator<readonly [NodeProto, Scope]> {
  if (graph) yield* nodesOf(scopeOf(graph, toNumber(irVersion)), toNumber(irVersion));
}

function* nodesOf(scope: Scope, irVersion: number): Generator<readonly [NodeProto, Scope]> {
  for (const node of scope.graph.node) {
    yield [node, scope];
    for (const graph of graphsOf(node)) yield* nodesOf(scopeOf(graph, irVersion, scope), irVersion);
  }
}

/** The names of values and nodes in a graph and its subgraphs. */
export function namesIn(graph: GraphProto, names = new Set<string>()): Set<string> {
  for (const { name } of [...graph.input, ...graph.initializer]) names.add(name);
  for (const node of graph.node) {
    for (const name of [node.name, ...node.output]) names.add(name);
    for (const inner of graphsOf(node)) namesIn(inner, names);
  }
  return names;
}

/** The names that a graph and its subgraphs read. */
export function readIn(graph: GraphProto, names = new Set<string>()): Set<string> {
  for (const { name } of graph.output) names.add(name);
  for (const node of graph.node) {
    for (const name of node.input) names.add(name);
    for (const inner of graphsOf(node)) readIn(inner, names);
  }
  return names;
}
