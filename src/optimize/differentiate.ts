import { Emitter, rename } from '../analysis/decompose.js';
import { SardonyxError } from '../base/errors.js';
import { operandsOf } from '../graph/captures.js';
import { Copy } from '../graph/copy.js';
import { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { mark } from '../graph/origins.js';
import { filled } from '../ops/training/gradients/backward.js';
import { Backpropagation } from './backpropagation.js';
import { isGradient } from './gradient-node.js';
import { GradientPath } from './gradient-path.js';
import { learn } from './learn.js';
import { refuseTooMany } from './refuse-too-many.js';
import { sortedNodes } from './sorted-nodes.js';

/** Replaces each Gradient node by nodes that compute the derivatives. */
export function differentiate(graph: Graph): void {
  for (let node = nextGradient(graph); node; node = nextGradient(graph)) {
    graph.nodes = sortedNodes(new Differentiator(graph, node).nodes());
    mark(graph.nodes, node.origins);
    refuseTooMany(graph.nodes);
  }
}

/** A Gradient node whose function contains no other Gradient node. */
function nextGradient(graph: Graph): Node | undefined {
  const found = graph.nodes.filter(isGradient);
  if (found.length < 2) return found[0];
  const ready = found.find((node) => !new GradientPath(graph, node).nodes.some(isGradient));
  if (ready) return ready;
  throw new SardonyxError('INVALID_GRAPH', 'Gradient nodes differentiate each other', {
    node: (found[0] as Node).name,
  });
}

/** Computes the derivatives of one Gradient node, from y backward. */
class Differentiator {
  readonly #facts = new Facts();
  readonly #emitter: Emitter;

  constructor(
    private readonly graph: Graph,
    private readonly node: Node,
  ) {
    this.#emitter = new Emitter(node.name);
  }

  /** The graph's nodes with the derivatives in place of the Gradient node. */
  nodes(): Node[] {
    for (const input of this.graph.inputs) if (input.type) this.#facts.set(input, { type: input.type });
    for (const node of this.graph.nodes) learn(node, this.#facts);
    const nodes = this.#spelledOut();
    const path = new GradientPath({ ...this.graph, nodes }, this.node);
    const { copies, copied, y } = this.#substituted(path);
    const fed = path.xs.map((x) => path.feeds.get(x) as Value);
    const backward = new Backpropagation(this.#facts, this.#emitter, fed);
    for (const node of copied) backward.spelledOut(node);
    const derivatives = backward.run(copied, [[y, this.#filled(y, 1)]], fed);
    const results = derivatives.map((value, i) => value ?? this.#filled(fed[i] as Value, 0));
    const made = rename(this.#emitter.nodes, results, this.node.outputs);
    return [...nodes.filter((node) => node !== this.node), ...copies, ...made];
  }

  /** All nodes; those on the path without a backward rule are decomposed. */
  #spelledOut(): Node[] {
    const path = new GradientPath(this.graph, this.node);
    const backward = new Backpropagation(this.#facts, this.#emitter, path.xs);
    const parts = new Map(path.nodes.map((node) => [node, backward.spelledOut(node)]));
    return this.graph.nodes.flatMap((node) => parts.get(node) ?? [node]);
  }

  /** The path with the Gradient node's inputs in place of its variables. Nodes that this changes are copied. */
  #substituted({ nodes, feeds, y }: GradientPath): { copies: Node[]; copied: Node[]; y: Value } {
    const now = new Map([...feeds].filter(([variable, fed]) => variable !== fed));
    const copies: Node[] = [];
    const copied = nodes.map((node) => {
      if (!operandsOf(node).some((value) => now.has(value))) return node;
      const copying = new Copy(this.node.name, node.op);
      for (const [value, fed] of now) if (!node.outputs.includes(value)) copying.values.set(value, fed);
      const copy = copying.node(node);
      node.outputs.forEach((value, i) => {
        if (value && !feeds.has(value)) now.set(value, copy.outputs[i] as Value);
      });
      learn(copy, this.#facts);
      copies.push(copy);
      return copy;
    });
    return { copies, copied, y: now.get(y) ?? y };
  }

  #filled(value: Value, fill: number): Value {
    const type = this.#facts.get(value)?.type;
    if (type?.kind === 'tensor') return filled(this.#emitter, value, type.element, fill);
    throw new SardonyxError('INVALID_TYPE', 'derivatives are taken of and by tensors', { value: value.name });
  }
}
