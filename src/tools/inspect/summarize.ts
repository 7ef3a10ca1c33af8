import type { Graph, Model, Node, Value } from '../../graph/graph.js';
import { formatType } from '../../graph/types.js';
import { allNodes, operatorName } from '../../graph/walk.js';
import { findOperator } from '../../schema/registry.js';
import { byteLength } from '../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';

/** An operator of a model. */
export interface OperatorCount {
  /** The name of the operator, with its domain unless it is `ai.onnx`. */
  readonly operator: string;
  /** The number of nodes. */
  readonly count: number;
  /** Whether Sardonyx or the model itself defines the operator. */
  readonly supported: boolean;
}

/** A summary of a model. */
export interface ModelSummary {
  /** The program that created the model, with its version. */
  readonly producer: string;
  /** The IR version. */
  readonly irVersion: number;
  /** The imported opsets, by domain. */
  readonly opsets: Readonly<Record<string, number>>;
  /** The metadata. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The model's functions, as `domain.name`. */
  readonly functions: readonly string[];
  /** The names and types of the inputs, without those that have a default value. */
  readonly inputs: readonly { readonly name: string; readonly type: string }[];
  /** The names and types of the outputs. */
  readonly outputs: readonly { readonly name: string; readonly type: string }[];
  /** The number of nodes, including those of subgraphs. */
  readonly nodes: number;
  /** The operators, the most frequent first. */
  readonly operators: readonly OperatorCount[];
  /** The elements and bytes of all constants. */
  readonly weights: Weights;
}

export function summarize(model: Model): ModelSummary {
  const { graph, opsets } = model;
  const operators = countOperators(model);
  return {
    producer: model.producer,
    irVersion: model.irVersion,
    opsets: Object.fromEntries([...opsets].map(([domain, version]) => [domain || 'ai.onnx', version])),
    metadata: Object.fromEntries(model.metadata),
    functions: model.functions.map(({ domain, name }) => `${domain}.${name}`),
    inputs: graph.inputs.filter(({ constant }) => !constant).map(described),
    outputs: graph.outputs.map(described),
    nodes: operators.reduce((sum, { count }) => sum + count, 0),
    operators,
    weights: weightsOf(graph),
  };
}

const described = ({ name, type }: Value) => ({ name, type: formatType(type) });

function countOperators({ graph, opsets, functions }: Model): OperatorCount[] {
  const counts = new Map<string, OperatorCount>();
  for (const node of allNodes(graph)) {
    const operator = operatorName(node);
    const defined =
      findOperator(node.domain, node.op, opsets.get(node.domain) ?? Number.POSITIVE_INFINITY) !== undefined ||
      functions.some(({ domain, name }) => domain === node.domain && name === node.op);
    counts.set(operator, { operator, count: (counts.get(operator)?.count ?? 0) + 1, supported: defined });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.operator.localeCompare(b.operator));
}

/** The size of a model's constants. Each constant counts once. */
export interface Weights {
  /** The number of elements. */
  readonly parameters: number;
  /** The number of bytes. */
  readonly bytes: number;
}

const weightsOf = (graph: Graph): Weights => weightsIn(allNodes(graph));

/** The weights that nodes read or have as attributes. */
export function weightsIn(nodes: Iterable<Node>): Weights {
  const found = new Set<TensorValue>();
  for (const node of nodes) {
    for (const value of node.inputs) if (value?.constant) found.add(value.constant);
    for (const attribute of Object.values(node.attributes)) if (attribute.type === 'tensor') found.add(attribute.value);
  }
  let [parameters, bytes] = [0, 0];
  for (const { type, dims } of found) {
    parameters += elementCount(dims);
    bytes += byteLength(type, elementCount(dims));
  }
  return { parameters, bytes };
}
