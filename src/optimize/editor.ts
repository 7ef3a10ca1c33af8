import { NodeView } from '../analysis/node-view.js';
import { capturesOf, operandsOf, subgraphsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import type { Origin } from '../graph/origin.js';
import { inherit } from './inherit.js';

/** A graph under rewriting: the producer and readers of each value, and known facts. */
export class GraphEditor {
  readonly #producers = new Map<Value, Node>();
  readonly #readers = new Map<Value, Set<Node>>();
  readonly #outputs: ReadonlySet<Value>;
  /** Number of nodes that originate from each node of the model. */
  readonly #heirs = new Map<Origin, number>();
  readonly #nodes: Node[];

  constructor(
    readonly graph: Graph,
    readonly facts: Facts,
  ) {
    this.#nodes = graph.nodes;
    this.#outputs = new Set(graph.outputs);
    for (const node of graph.nodes) this.#link(node);
  }

  get nodes(): readonly Node[] {
    return this.#nodes;
  }

  producerOf(value: Value): Node | undefined {
    return this.#producers.get(value);
  }

  readersOf(value: Value): ReadonlySet<Node> {
    return this.#readers.get(value) ?? new Set();
  }

  isOutput(value: Value): boolean {
    return this.#outputs.has(value);
  }

  isLive(node: Node): boolean {
    return node.outputs.some((value) => value && this.#producers.get(value) === node);
  }

  viewOf(node: Node): NodeView {
    return new NodeView(node, this.facts);
  }

  /** Replaces `root` by `made`, which produce root's outputs. Drops nodes without remaining readers. */
  replace(root: Node, made: readonly Node[]): void {
    const at = this.#nodes.indexOf(root);
    this.#unlink(root);
    this.#nodes.splice(at, 1, ...made);
    for (const node of made) this.#link(node);
    const taken = [root];
    this.#dropUnread(operandsOf(root), taken);
    this.#handOn(taken, made);
  }

  /** Whether every reader has `value` among its inputs, so that it is neither an output of the graph nor captured by a subgraph. */
  canRedirect(value: Value): boolean {
    return (
      !this.isOutput(value) &&
      [...this.readersOf(value)].every(
        (reader) =>
          reader.inputs.includes(value) && !subgraphsOf(reader).some((graph) => capturesOf(graph).includes(value)),
      )
    );
  }

  /** Makes every reader of `from` read `to`. */
  redirect(from: Value, to: Value): void {
    for (const reader of [...this.readersOf(from)]) {
      this.#unlink(reader, true);
      reader.inputs = reader.inputs.map((value) => (value === from ? to : value));
      this.#link(reader);
    }
  }

  /** @param heir the node that does its work from now on, if any */
  remove(node: Node, heir?: Node): void {
    const taken: Node[] = [];
    this.#take(node, taken);
    if (heir) this.#handOn(taken, [heir]);
  }

  #take(node: Node, taken: Node[]): void {
    this.#unlink(node);
    this.#nodes.splice(this.#nodes.indexOf(node), 1);
    taken.push(node);
    this.#dropUnread(operandsOf(node), taken);
  }

  /** Passes the origins of `taken` to `made`. */
  #handOn(taken: readonly Node[], made: readonly Node[]): void {
    for (const node of made) this.#count(node, -1);
    inherit(made, taken, (origin) => (this.#heirs.get(origin) ?? 0) > 0);
    for (const node of made) this.#count(node, 1);
  }

  #count({ origins = [] }: Node, by: 1 | -1): void {
    for (const origin of origins) this.#heirs.set(origin, (this.#heirs.get(origin) ?? 0) + by);
  }

  /** Drops every node whose outputs have no readers. */
  dropDead(): void {
    for (const node of this.#nodes.toReversed()) if (this.isLive(node) && this.#isDead(node)) this.remove(node);
  }

  #isDead(node: Node): boolean {
    return node.outputs.every((value) => !value || (!this.#outputs.has(value) && this.readersOf(value).size === 0));
  }

  #dropUnread(values: readonly Value[], taken: Node[]): void {
    for (const value of values) {
      const producer = this.#producers.get(value);
      if (producer && this.#isDead(producer)) this.#take(producer, taken);
    }
  }

  #link(node: Node): void {
    this.#count(node, 1);
    for (const value of node.outputs) if (value) this.#producers.set(value, node);
    for (const value of operandsOf(node)) {
      const readers = this.#readers.get(value);
      if (readers) readers.add(node);
      else this.#readers.set(value, new Set([node]));
    }
  }

  #unlink(node: Node, keepOutputs = false): void {
    this.#count(node, -1);
    for (const value of operandsOf(node)) this.#readers.get(value)?.delete(node);
    if (keepOutputs) return;
    for (const value of node.outputs) if (value && this.#producers.get(value) === node) this.#producers.delete(value);
  }
}
