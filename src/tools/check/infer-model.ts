import type { ModelProto } from '../../../build/onnx.js';
import { fold } from '../../analysis/fold.js';
import { NodeView } from '../../analysis/node-view.js';
import { SardonyxError } from '../../base/errors.js';
import { operandsOf } from '../../graph/captures.js';
import { Facts } from '../../graph/facts.js';
import type { Model, Node, Value } from '../../graph/graph.js';
import { formatType, type ValueType } from '../../graph/types.js';
import { allNodes, subgraphs } from '../../graph/walk.js';
import type { ExternalData } from '../../model/external-data.js';
import { isGradient } from '../../optimize/gradient-node.js';
import { findOperator } from '../../schema/registry.js';
import { elementCount, isTensorValue } from '../../tensor/tensor-value.js';
import type { Issue } from './issue.js';
import { openProto } from './open-proto.js';

/** What a model's own nodes are refused for, functions in place of their calls. */
export async function inferModel(
  proto: ModelProto,
  externalData: ExternalData | undefined,
  hasErrors: boolean,
): Promise<Issue[]> {
  const { graph } = proto;
  if (!graph) return [];
  const paths = new Map<string, string>();
  for (const [i, { output }] of graph.node.entries())
    for (const name of output) if (name) paths.set(name, `graph.node[${i}]`);
  try {
    const model = await openProto(proto, externalData);
    return inferred(model, paths);
  } catch (thrown) {
    const issue = issueOf(thrown, 'graph');
    return hasErrors ? [] : [issue];
  }
}

function inferred({ graph, irVersion }: Model, paths: ReadonlyMap<string, string>): Issue[] {
  const facts = new Facts();
  for (const input of graph.inputs)
    if (input.type && (irVersion >= 4 || !input.constant)) facts.set(input, { type: input.type });
  const issues: Issue[] = [];
  for (const node of graph.nodes) {
    const path = node.outputs.flatMap((value) => (value && paths.get(value.name)) ?? [])[0] ?? 'graph';
    try {
      if (isInferable(node, facts)) inferNode(node, facts);
    } catch (thrown) {
      if (!isAbsence(thrown)) issues.push(issueOf(thrown, path));
    }
    for (const value of node.outputs) if (value) issues.push(...contradiction(node, value, facts, path));
  }
  return issues;
}

const isAbsence = (thrown: unknown): boolean => thrown instanceof SardonyxError && thrown.code === 'EXTERNAL_DATA';

const isInferable = (node: Node, facts: Facts): boolean =>
  !isGradient(node) &&
  [node, ...subgraphs(node).flatMap(([, graph]) => [...allNodes(graph)])].every(({ domain, op, opset }) =>
    findOperator(domain, op, opset ?? Number.POSITIVE_INFINITY),
  ) &&
  operandsOf(node).every((value) => facts.has(value));

/** Shape arithmetic is done on tensors of this size at most. */
const MAX_ELEMENTS = 4096;

function inferNode(node: Node, facts: Facts): void {
  const view = new NodeView(node, facts);
  view.check();
  view.infer();
  const isSmall = node.inputs.every((value) => {
    const contents = value && facts.get(value)?.contents;
    return !contents || elementCount(contents.dims) <= MAX_ELEMENTS;
  });
  const results = isSmall ? fold(view, () => MAX_ELEMENTS) : undefined;
  for (const [i, value] of node.outputs.entries()) {
    const contents = results?.[i];
    if (value && isTensorValue(contents))
      facts.set(value, { type: { kind: 'tensor', element: contents.type, dims: contents.dims }, contents });
  }
}

/** Where the model says another type or size of a value than follows. */
function contradiction(node: Node, value: Value, facts: Facts, path: string): Issue[] {
  const follows = facts.get(value)?.type;
  const { type: says } = value;
  if (!follows || !says || agree(follows, says)) return [];
  return [
    {
      severity: 'error',
      code: 'INFERENCE',
      message: `it is ${formatType(follows)}, but declared ${formatType(says)}`,
      path,
      node: node.name,
      operator: node.op,
      value: value.name,
    },
  ];
}

/** A value is an optional one, too. */
function agree(a: ValueType, b: ValueType): boolean {
  if (a.kind !== b.kind) return a.kind === 'optional' ? agree(a.of, b) : b.kind === 'optional' && agree(a, b.of);
  if (a.kind === 'sequence' || a.kind === 'optional') return agree(a.of, (b as typeof a).of);
  if (a.kind === 'map') return a.key === (b as typeof a).key;
  const { element, dims } = b as typeof a;
  if (element !== a.element) return false;
  const other = a.dims;
  if (!dims || !other) return true;
  const isOpen = (dim: unknown) => typeof dim !== 'number';
  return dims.length === other.length && dims.every((d, i) => isOpen(d) || isOpen(other[i]) || d === other[i]);
}

function issueOf(thrown: unknown, path: string): Issue {
  if (!(thrown instanceof SardonyxError)) throw thrown;
  const { node, operator, value } = thrown.place;
  return {
    severity: 'error',
    code: 'INFERENCE',
    message: thrown.complaint,
    path,
    ...(node && { node }),
    ...(operator && { operator }),
    ...(value && { value }),
  };
}
