import { SardonyxError } from '../errors.js';
import { operandsOf } from '../graph/captures.js';
import { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { topologicalOrder } from '../model/topological-order.js';
import { decompose, Emitter, rename } from '../ops/decompose.js';
import { FLOATS } from '../ops/element-sets.js';
import { emitOne } from '../ops/emit.js';
import { evaluateOnHost } from '../ops/evaluate.js';
import { knownSizes } from '../ops/known-sizes.js';
import { NodeView } from '../ops/node-view.js';
import { filled } from '../ops/training/gradients/backward.js';
import { backwardRuleOf } from '../ops/training/gradients/index.js';
import { elementCount, isTensorValue } from '../tensor/tensor-value.js';
import { BackwardView } from './backward-view.js';
import { GradientPath } from './gradient-path.js';

/** Puts nodes that compute the derivatives in the place of every Gradient node. */
export function differentiate(graph: Graph): void {
  for (let node = nextGradient(graph); node; node = nextGradient(graph)) {
    graph.nodes = sorted(new Differentiator(graph, node).nodes());
  }
}

const isGradient = ({ domain, op }: Node) => domain === 'ai.onnx.preview.training' && op === 'Gradient';

/** A Gradient node whose function is not itself made of one. */
function nextGradient(graph: Graph): Node | undefined {
  const found = graph.nodes.filter(isGradient);
  if (found.length < 2) return found[0];
  const ready = found.find((node) => !new GradientPath(graph, node).nodes.some(isGradient));
  if (ready) return ready;
  throw new SardonyxError('INVALID_GRAPH', 'Gradient nodes differentiate each other', {
    node: (found[0] as Node).name,
  });
}

function sorted(nodes: readonly Node[]): Node[] {
  const makers = new Map<Value, number>();
  nodes.forEach((node, i) => {
    for (const value of node.outputs) if (value) makers.set(value, i);
  });
  const needed = nodes.map((node) => operandsOf(node).flatMap((value) => makers.get(value) ?? []));
  const order = topologicalOrder(nodes.length, (i) => needed[i] as number[]);
  if (!Array.isArray(order)) throw new SardonyxError('INVALID_GRAPH', 'a Gradient node differentiates what reads it');
  return order.map((i) => nodes[i] as Node);
}

/** Takes the derivatives that one Gradient node asks for, from y backward. */
class Differentiator {
  readonly #facts = new Facts();
  readonly #emitter: Emitter;
  readonly #derivatives = new Map<Value, Value>();
  /** Values that depend on some x. */
  readonly #active = new Set<Value>();

  constructor(
    private readonly graph: Graph,
    private readonly node: Node,
  ) {
    this.#emitter = new Emitter(node.name);
  }

  /** The graph's nodes with the derivatives in place of the Gradient node. */
  nodes(): Node[] {
    for (const input of this.graph.inputs) if (input.type) this.#facts.set(input, { type: input.type });
    for (const node of this.graph.nodes) this.#learn(node);
    const nodes = this.#spelledOut();
    const path = new GradientPath({ ...this.graph, nodes }, this.node);
    const { copies, copied, y } = this.#substituted(path);
    this.#activate(
      copied,
      path.xs.map((x) => path.feeds.get(x) as Value),
    );
    this.#derivatives.set(y, this.#filled(y, 1));
    for (const node of copied.toReversed())
      if (node.outputs.some((v) => v && this.#derivatives.has(v))) this.#pass(node);
    const results = path.xs.map((x) => {
      const fed = path.feeds.get(x) as Value;
      return this.#derivatives.get(fed) ?? this.#filled(fed, 0);
    });
    const made = rename(this.#emitter.nodes, results, this.node.outputs);
    return [...nodes.filter((node) => node !== this.node), ...copies, ...made];
  }

  /** All nodes, those on the path that have no rule in the operators they stand for. */
  #spelledOut(): Node[] {
    let { nodes } = this.graph;
    for (;;) {
      const path = new GradientPath({ ...this.graph, nodes }, this.node);
      this.#activate(path.nodes, path.xs);
      const parts = new Map<Node, Node[]>();
      for (const node of path.nodes) {
        if (backwardRuleOf(node) || !this.#isActive(node)) continue;
        const made = decompose(new NodeView(node, this.#facts));
        if (!made)
          throw new SardonyxError('UNSUPPORTED_OPERATOR', 'has no derivative', { node: node.name, operator: node.op });
        for (const part of made) this.#learn(part);
        parts.set(node, made);
      }
      if (parts.size === 0) return nodes;
      nodes = nodes.flatMap((node) => parts.get(node) ?? [node]);
    }
  }

  /** The path on what is fed; nodes that this changes are copied. */
  #substituted({ nodes, feeds, y }: GradientPath): { copies: Node[]; copied: Node[]; y: Value } {
    const now = new Map([...feeds].filter(([variable, fed]) => variable !== fed));
    const copies: Node[] = [];
    const copied = nodes.map((node) => {
      if (!operandsOf(node).some((value) => now.has(value))) return node;
      const outputs = node.outputs.map((value) => value && { name: `${this.node.name}/${value.name}` });
      const copy = { ...node, inputs: node.inputs.map((value) => value && (now.get(value) ?? value)), outputs };
      node.outputs.forEach((value, i) => {
        if (value && !feeds.has(value)) now.set(value, outputs[i] as Value);
      });
      this.#learn(copy);
      copies.push(copy);
      return copy;
    });
    return { copies, copied, y: now.get(y) ?? y };
  }

  #activate(nodes: readonly Node[], variables: readonly Value[]): void {
    this.#active.clear();
    for (const value of variables) this.#active.add(value);
    for (const node of nodes) {
      if (!this.#isActive(node)) continue;
      for (const value of node.outputs) if (value && this.#isReal(value)) this.#active.add(value);
    }
  }

  #isActive = (node: Node): boolean => operandsOf(node).some((value) => this.#active.has(value));

  #isReal(value: Value): boolean {
    const type = this.#facts.get(value)?.type;
    return type?.kind === 'tensor' && FLOATS.includes(type.element);
  }

  /** Adds to the derivatives by a node's inputs what comes from those by its outputs. */
  #pass(node: Node): void {
    if (!this.#isActive(node)) return;
    const view = new NodeView(node, this.#facts);
    const own = backwardRuleOf(node)?.(new BackwardView(node, this.#facts, this.#emitter, this.#derivatives)) ?? [];
    node.inputs.forEach((value, i) => {
      if (!value || !this.#active.has(value) || own[i] === null) return;
      const part = own[i] ?? view.fail('UNSUPPORTED_OPERATOR', `has no derivative by its input ${i}`);
      const known = this.#derivatives.get(value);
      this.#derivatives.set(value, known ? emitOne(this.#emitter, 'Add', [known, part]) : part);
    });
  }

  #filled(value: Value, fill: number): Value {
    const type = this.#facts.get(value)?.type;
    if (type?.kind === 'tensor') return filled(this.#emitter, value, type.element, fill);
    throw new SardonyxError('INVALID_TYPE', 'derivatives are taken of and by tensors', { value: value.name });
  }

  /** Records what follows for a node's outputs from what is known of its inputs. */
  #learn(node: Node): void {
    if (operandsOf(node).some((value) => !this.#facts.has(value))) return;
    const view = new NodeView(node, this.#facts);
    view.check();
    view.infer();
    const [first] = node.outputs;
    const sizes = knownSizes(view);
    if (sizes && first)
      this.#facts.set(first, { type: { kind: 'tensor', element: sizes.type, dims: sizes.dims }, contents: sizes });
    else this.#foldSmall(view);
  }

  /** Axes, shapes and the like that nodes compute of constants. */
  #foldSmall(view: NodeView): void {
    const { node, operator } = view;
    const isKnown = node.inputs.every((value) => !value || this.#facts.get(value)?.contents);
    if (!isKnown || !operator.evaluate || !operator.deterministic) return;
    const small = node.inputs.every((_, i) => !view.given(i) || elementCount(view.dims(i) as number[]) <= MAX_FOLDED);
    if (!small) return;
    evaluateOnHost(view).forEach((contents, i) => {
      const value = node.outputs[i];
      if (!value || !isTensorValue(contents) || elementCount(contents.dims) > MAX_FOLDED) return;
      this.#facts.set(value, { type: { kind: 'tensor', element: contents.type, dims: contents.dims }, contents });
    });
  }
}

const MAX_FOLDED = 64;
