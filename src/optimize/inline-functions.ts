import { SardonyxError } from '../errors.js';
import type { Attribute, Attributes, FunctionDefinition, Graph, Model, Node, Value } from '../graph/graph.js';
import { ofAnyShape } from '../graph/types.js';
import { functionKey, operatorName, subgraphs } from '../graph/walk.js';
import { bindOpsets } from '../model/bind-opsets.js';

type Functions = ReadonlyMap<string, FunctionDefinition>;

/**
 * Puts the bodies of the model's own functions where they are called, https://onnx.ai/onnx/repo-docs/IR.html#functions. A
 * function hides an operator of its name. Every node has the opset version that its graph, or its function, imports.
 */
export function inlineFunctions({ graph, functions, opsets }: Model): void {
  bindOpsets(graph, opsets);
  if (functions.length === 0) return;
  for (const { graph: body, defaults, opsets: own } of functions) {
    const imported = new Map([...opsets, ...own]);
    bindOpsets(body, imported);
    for (const [, inner] of subgraphs({ attributes: defaults })) bindOpsets(inner, imported);
  }
  const known = new Map(functions.map((f) => [functionKey(f.domain, f.name, f.overload), f]));
  graph.nodes = expanded(graph.nodes, known, new Set());
}

/** The nodes with all calls, also those in their subgraphs, replaced. `prefixes` are the names of calls so far. */
function expanded(nodes: readonly Node[], functions: Functions, prefixes: Set<string>): Node[] {
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
  const copy = new Copy(unique(call.name, prefixes), definition, call.attributes);
  for (const [i, input] of graph.inputs.entries()) copy.values.set(input, call.inputs[i] ?? null);
  const renamed: [Value, Value][] = [];
  for (const [i, output] of graph.outputs.entries()) {
    const target = call.outputs[i];
    if (!target) continue;
    if (copy.values.has(output)) renamed.push([target, output]);
    else copy.values.set(output, target);
  }
  const nodes = graph.nodes.map((node) => copy.node(node));
  return [...nodes, ...renamed.map(([target, output]) => identity(target, copy.value(output)))];
}

/** For an output that has another name already: it is an input too, or another output. */
const identity = (target: Value, value: Value | null): Node => ({
  name: `${target.name}/identity`,
  domain: '',
  op: 'Identity',
  inputs: [value],
  outputs: [target],
  attributes: {},
});

function unique(name: string, taken: Set<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`;
  taken.add(free);
  return free;
}

/** One copy of a function's body. */
class Copy {
  /** What stands for the body's values; null for an input that the call leaves out. */
  readonly values = new Map<Value, Value | null>();

  constructor(
    private readonly prefix: string,
    private readonly definition: FunctionDefinition,
    private readonly given: Attributes,
  ) {}

  node(node: Node): Node {
    const attributes = Object.entries(node.attributes).flatMap(([name, attribute]): [string, Attribute][] => {
      const resolved = this.#attribute(attribute);
      return resolved ? [[name, resolved]] : [];
    });
    return {
      ...node,
      name: `${this.prefix}/${node.name}`,
      inputs: node.inputs.map((value) => value && this.value(value)),
      attributes: Object.fromEntries(attributes),
      outputs: node.outputs.map((value) => value && this.#made(value)),
    };
  }

  /** A value that the body uses; what it does not know is of the graphs around the call. */
  value(value: Value): Value | null {
    const known = this.values.get(value);
    return known === undefined ? value : known;
  }

  /** A value that the body makes. */
  #made(value: Value): Value {
    const known = this.values.get(value);
    if (known) return known;
    const type = value.type && ofAnyShape(value.type);
    const made: Value = { ...value, name: `${this.prefix}/${value.name}`, ...(type && { type }) };
    this.values.set(value, made);
    return made;
  }

  #attribute(attribute: Attribute): Attribute | undefined {
    if (attribute.type === 'reference') {
      const { given, definition } = this;
      const found = given[attribute.value] ?? definition.defaults[attribute.value];
      return found?.type === 'reference' ? undefined : found && this.#attribute(found);
    }
    if (attribute.type === 'graph') return { type: 'graph', value: this.#graph(attribute.value) };
    if (attribute.type === 'graphs')
      return { type: 'graphs', value: attribute.value.map((graph) => this.#graph(graph)) };
    return attribute;
  }

  #graph(graph: Graph): Graph {
    const inputs = graph.inputs.map((value) => this.#made(value));
    const nodes = graph.nodes.map((node) => this.node(node));
    const outputs = graph.outputs.map((value) => this.value(value) ?? this.#missing(value));
    return { name: graph.name, inputs, nodes, outputs };
  }

  #missing({ name }: Value): never {
    const { domain, name: op } = this.definition;
    throw new SardonyxError('INVALID_MODEL', `gives its input "${name}" on, which the call leaves out`, {
      node: this.prefix,
      operator: operatorName({ domain, op }),
    });
  }
}
