import { SardonyxError } from '../base/errors.js';
import type { Attribute, Graph, Node, Value } from './graph.js';
import { hasNamedBorders, madeBorders } from './named-borders.js';
import type { Origins } from './origin.js';
import { ofAnyShape } from './types.js';

/** A copy of a graph's nodes, to inline where the graph is called. */
export class Copy {
  /** The replacements of the graph's values; null for an input that the call omits. */
  readonly values = new Map<Value, Value | null>();

  /** Names begin with `prefix`; `operator` is the callee, and `resolve` returns an attribute as the call sets it. */
  constructor(
    private readonly prefix: string,
    private readonly operator: string,
    private readonly resolve: (attribute: Attribute) => Attribute | undefined = (attribute) => attribute,
    /** Maps the origins of nodes to those of their copies. */
    private readonly moved: (origins: Origins) => Origins = (origins) => origins,
    private readonly outer?: Copy,
  ) {}

  node({ binding: _, ...node }: Node): Node {
    const attributes = Object.entries(node.attributes).flatMap(([name, attribute]): [string, Attribute][] => {
      const resolved = this.#attribute(attribute, node);
      return resolved ? [[name, resolved]] : [];
    });
    return {
      ...node,
      name: `${this.prefix}/${node.name}`,
      inputs: node.inputs.map((value) => value && this.value(value)),
      attributes: Object.fromEntries(attributes),
      outputs: node.outputs.map((value) => value && this.#made(value)),
      ...(node.origins && { origins: this.moved(node.origins) }),
    };
  }

  /** The copy of a value that the graph uses; unknown values belong to the graphs around the call. */
  value(value: Value): Value | null {
    const known = this.values.get(value);
    if (known !== undefined) return known;
    return this.outer ? this.outer.value(value) : value;
  }

  /** The copy of a value that the graph makes. */
  #made(value: Value): Value {
    const known = this.values.get(value);
    if (known) return known;
    const type = value.type && ofAnyShape(value.type);
    const made: Value = { ...value, name: `${this.prefix}/${value.name}`, ...(type && { type }) };
    this.values.set(value, made);
    return made;
  }

  #attribute(attribute: Attribute, { domain, op }: Pick<Node, 'domain' | 'op'>): Attribute | undefined {
    const resolved = this.resolve(attribute);
    const copied = (graph: Graph) => this.#inner().#graph(graph, hasNamedBorders(domain, op));
    if (resolved?.type === 'graph') return { type: 'graph', value: copied(resolved.value) };
    if (resolved?.type === 'graphs') return { type: 'graphs', value: resolved.value.map(copied) };
    return resolved;
  }

  /** Copies a subgraph with values of its own, because a function may contain the same subgraph twice. */
  #inner(): Copy {
    return new Copy(this.prefix, this.operator, this.resolve, this.moved, this);
  }

  #graph(graph: Graph, keepsNames: boolean): Graph {
    if (keepsNames) for (const value of madeBorders(graph)) this.values.set(value, { ...value });
    const inputs = graph.inputs.map((value) => this.#made(value));
    const nodes = graph.nodes.map((node) => this.node(node));
    const outputs = graph.outputs.map((value) => this.value(value) ?? this.#missing(value));
    return { name: graph.name, inputs, nodes, outputs };
  }

  #missing({ name }: Value): never {
    throw new SardonyxError('INVALID_MODEL', `uses its input "${name}", which the call omits`, {
      node: this.prefix,
      operator: this.operator,
    });
  }
}
