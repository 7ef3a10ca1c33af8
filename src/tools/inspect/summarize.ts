import type { Graph, Model, Node, Value } from '../../graph/graph.js';
import { formatType } from '../../graph/types.js';
import { allNodes, operatorName } from '../../graph/walk.js';
import { findOperator } from '../../schema/registry.js';
import { byteLength } from '../../tensor/element-types.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';

export interface OperatorCount {
  readonly operator: string;
  readonly count: number;
  readonly supported: boolean;
}

export interface ModelSummary {
  readonly producer: string;
  readonly irVersion: number;
  readonly opsets: Readonly<Record<string, number>>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly functions: readonly string[];
  readonly inputs: readonly { readonly name: string; readonly type: string }[];
  readonly outputs: readonly { readonly name: string; readonly type: string }[];
  readonly nodes: number;
  readonly operators: readonly OperatorCount[];
  /** Of all constants. */
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

/** Elements and bytes of constants, each once. */
export interface Weights {
  readonly parameters: number;
  readonly bytes: number;
}

const weightsOf = (graph: Graph): Weights => weightsIn(allNodes(graph));

/** Those that nodes read or have as attributes. */
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
