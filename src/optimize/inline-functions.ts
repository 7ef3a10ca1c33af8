import { account } from '../account.js';
import { SardonyxError } from '../base/errors.js';
import { Copy } from '../graph/copy.js';
import type { Attribute, FunctionDefinition, Model, Node, Value } from '../graph/graph.js';
import { calledBy } from '../graph/origins.js';
import { functionKey, operatorName, subgraphs } from '../graph/walk.js';
import { bindOpsets } from '../model/bind-opsets.js';
import { type Functions, refuseTooMany } from './refuse-too-many.js';

/**
 * Inlines the model's own functions at their calls, https://onnx.ai/onnx/repo-docs/IR.html#functions. A function hides an operator of the
 * same name. Each node of a body has the opset version that its function imports.
 */
export function inlineFunctions({ graph, functions, opsets }: Model): void {
  for (const { graph: body, defaults, opsets: own } of functions) {
    const imported = new Map([...opsets, ...own]);
    bindOpsets(body, imported);
    for (const [, inner] of subgraphs({ attributes: defaults })) bindOpsets(inner, imported);
  }
  const known = new Map(functions.map((f) => [functionKey(f.domain, f.name, f.overload), f]));
  refuseTooMany(graph.nodes, known);
  graph.nodes = expanded(graph.nodes, known, new Set());
}

/** The nodes with all calls replaced, including those in subgraphs. `prefixes` are the names of calls so far. */
function expanded(nodes: readonly Node[], functions: Functions, prefixes: Set<string>): Node[] {
  account()?.look();
  return nodes.flatMap((node) => {
    for (const attribute of Object.values(node.attributes)) {
      const graphs =
        attribute.type === 'graph' ? [attribute.value] : attribute.type === 'graphs' ? attribute.value : [];
      for (const graph of graphs) graph.nodes = expanded(graph.nodes, functions, prefixes);
    }
    const definition = functions.get(functionKey(node.domain, node.op, node.overload));
    return definition ? expanded(bodyOf(node, definition, prefixes), functions, prefixes) : [node];
  });
}

/** The function's body with the values and attributes of the call. */
function bodyOf(call: Node, definition: FunctionDefinition, prefixes: Set<string>): Node[] {
  const { graph } = definition;
  for (const kind of ['inputs', 'outputs'] as const) {
    if (call[kind].length <= graph[kind].length) continue;
    const message = `has ${call[kind].length} ${kind}; the function takes ${graph[kind].length}`;
    throw new SardonyxError('INVALID_MODEL', message, { node: call.name, operator: operatorName(call) });
  }
  const resolve = (attribute: Attribute): Attribute | undefined => {
    if (attribute.type !== 'reference') return attribute;
    const found = call.attributes[attribute.value] ?? definition.defaults[attribute.value];
    return found?.type === 'reference' ? undefined : found;
  };
  const copy = new Copy(
    unique(call.name, prefixes),
    operatorName({ domain: definition.domain, op: definition.name }),
    resolve,
    calledBy(call, graph.nodes[0]?.origins?.[0]?.place),
  );
  for (const [i, input] of graph.inputs.entries()) copy.values.set(input, call.inputs[i] ?? null);
  const renamed: [Value, Value][] = [];
  for (const [i, output] of graph.outputs.entries()) {
    const target = call.outputs[i];
    if (!target) continue;
    if (copy.values.has(output)) renamed.push([target, output]);
    else copy.values.set(output, target);
  }
  const nodes = graph.nodes.map((node) => copy.node(node));
  return [...nodes, ...renamed.map(([target, output]) => identity(target, copy.value(output), call))];
}

/** For an output that already has another name, because it is also an input or another output. */
const identity = (target: Value, value: Value | null, { origins }: Node): Node => ({
  name: `${target.name}/identity`,
  domain: '',
  op: 'Identity',
  inputs: [value],
  outputs: [target],
  attributes: {},
  origins,
});

function unique(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  taken.add(free);
  return free;
}
