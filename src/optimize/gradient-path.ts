import { SardonyxError } from '../base/errors.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { neededFor } from '../graph/needed.js';
import type { gradient } from '../ops/training/gradient.js';
import type { AttributeValues } from '../schema/attributes.js';
import { attributesOf } from '../schema/registry.js';

/** The function that a Gradient node differentiates: y of xs and zs. */
export class GradientPath {
  readonly xs: readonly Value[];
  readonly y: Value;
  /** The input of the Gradient node for each of xs and zs. */
  readonly feeds = new Map<Value, Value>();
  /** The nodes between xs, zs and y, in order. */
  readonly nodes: readonly Node[];

  constructor(
    graph: Graph,
    private readonly node: Node,
  ) {
    const byName = new Map<string, Value>();
    for (const value of [...graph.inputs, ...graph.nodes.flatMap((n) => [...n.inputs, ...n.outputs])])
      if (value) byName.set(value.name, value);
    const named = (name: string) => byName.get(name) ?? this.fail(`the graph has no value "${name}"`);
    const { xs, zs = [], y } = attributesOf(node) as AttributeValues<typeof gradient.attributes>;
    this.xs = xs.map(named);
    this.y = named(y);
    const variables = [...this.xs, ...zs.map(named)];
    if (variables.length !== node.inputs.length)
      this.fail(`has ${node.inputs.length} inputs for ${variables.length} variables in xs and zs`);
    variables.forEach((variable, i) => {
      this.feeds.set(variable, node.inputs[i] ?? this.fail(`its input ${i} is missing`));
    });
    this.nodes = neededFor(graph.nodes, [this.y], this.feeds);
  }

  private fail(message: string): never {
    throw new SardonyxError('INVALID_GRAPH', message, { node: this.node.name, operator: this.node.op });
  }
}
