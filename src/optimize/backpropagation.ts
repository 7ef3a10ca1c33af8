import { decompose, Emitter } from '../analysis/decompose.js';
import { NodeView } from '../analysis/node-view.js';
import { operandsOf, subgraphsOf } from '../graph/captures.js';
import { Copy } from '../graph/copy.js';
import type { Facts } from '../graph/facts.js';
import type { Graph, Node, Value } from '../graph/graph.js';
import { operatorName } from '../graph/walk.js';
import { emitOne } from '../ops/emit.js';
import { isReal, type Scope } from '../ops/training/gradients/backward.js';
import { backwardRuleOf, spellingOf } from '../ops/training/gradients/index.js';
import { added } from '../ops/training/gradients/sequences.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { BackwardView } from './backward-view.js';
import { learn } from './learn.js';
import { sortedFor } from './sorted-nodes.js';

/** Reverse-mode differentiation of nodes, by the rules of their operators. */
export class Backpropagation implements Scope {
  readonly #derivatives = new Map<Value, Value>();
  /** Values that depend on some variable. */
  readonly #active: Set<Value>;
  #copies = 0;

  constructor(
    readonly facts: Facts,
    readonly emitter: Emitter,
    variables: Iterable<Value>,
  ) {
    this.#active = new Set(variables);
  }

  isActive = (value: Value): boolean => this.#active.has(value);

  /** The node, or its decomposition if derivatives pass through it and it has no rule of its own. */
  spelledOut(node: Node): Node[] {
    if (!operandsOf(node).some(this.isActive)) return [node];
    const types = node.outputs.map((value) => value && this.facts.get(value)?.type);
    if (types.every((type) => type !== undefined && !isReal(type))) return [node];
    if (backwardRuleOf(node)) {
      node.outputs.forEach((value, i) => {
        if (value && isReal(types[i])) this.#active.add(value);
      });
      return [node];
    }
    return this.#partsOf(node).flatMap((part) => {
      learn(part, this.facts);
      return this.spelledOut(part);
    });
  }

  #partsOf(node: Node): Node[] {
    const view = new NodeView(node, this.facts);
    const spelling = spellingOf(node) ?? view.operator.decompose;
    const active = node.inputs.findIndex((value) => value && this.isActive(value));
    const reason = spelling ? 'too little is known of its shapes' : `${operatorName(node)} has no rule`;
    const fail = () => view.fail('UNSUPPORTED_OPERATOR', `has no derivative by its input ${active}: ${reason}`);
    return decompose(view, spelling) ?? fail();
  }

  /**
   * Propagates `seeds`, pairs of a value and its derivative, backward. Returns the derivatives by `variables`; null if nothing depends on
   * one.
   */
  run(nodes: readonly Node[], seeds: Iterable<readonly [Value, Value]>, variables: readonly Value[]): (Value | null)[] {
    for (const [value, derivative] of seeds) this.#add(value, derivative);
    for (const node of nodes.toReversed())
      if (node.outputs.some((v) => v && this.#derivatives.has(v))) this.#pass(node);
    return variables.map((value) => this.#derivatives.get(value) ?? null);
  }

  /** Adds to the derivatives by a node's inputs, from those by its outputs. */
  #pass(node: Node): void {
    if (!operandsOf(node).some(this.isActive)) return;
    const view = new BackwardView(node, this, this.#derivatives);
    const own = backwardRuleOf(node)?.(view) ?? [];
    if (own.some((part) => part)) view.refuseUnread();
    [...node.inputs, ...view.captures].forEach((value, i) => {
      if (!value || !this.isActive(value) || own[i] === null) return;
      this.#add(value, own[i] ?? view.fail('UNSUPPORTED_OPERATOR', `has no derivative by its input ${i}`));
    });
  }

  #add(value: Value, part: Value): void {
    const known = this.#derivatives.get(value);
    this.#derivatives.set(value, known ? added(this, this.facts.get(value)?.type, known, part) : part);
  }

  emit(...node: Parameters<Emitter['emit']>): Value[] {
    return this.emitter.emit(...node);
  }

  constant(value: TensorValue): Value {
    return this.emitter.constant(value);
  }

  through(graph: Graph, feeds: readonly Value[], seeds: readonly (Value | null)[], variables: readonly Value[]) {
    for (const feed of feeds) if (feed.type) this.facts.set(feed, { type: feed.type });
    const copy = new Copy(`${this.emitter.prefix}/${graph.name}${this.#copies++ || ''}`, graph.name);
    for (const [i, input] of graph.inputs.entries()) copy.values.set(input, feeds[i] as Value);
    const copies = graph.nodes.map((node) => copy.node(node));
    const inner = new Backpropagation(this.facts, this.emitter, variables);
    const nodes = copies.flatMap((node) => {
      refuseRandom(new NodeView(node, this.facts));
      learn(node, this.facts);
      return inner.spelledOut(node);
    });
    this.emitter.nodes.push(...nodes);
    const seeded = graph.outputs.flatMap((output, i): [Value, Value][] => {
      const seed = seeds[i];
      return seed ? [[copy.value(output) as Value, seed]] : [];
    });
    return inner.run(nodes, seeded, variables);
  }

  graph(name: string, inputs: readonly Value[], build: (scope: Scope) => readonly Value[]): Graph {
    const emitter = new Emitter(`${this.emitter.prefix}/${name}`);
    const scope = new Backpropagation(this.facts.fork(), emitter, []);
    const outputs = build(scope).map((value) => emitOne(scope, 'Identity', [value]));
    return { name, inputs: [...inputs], nodes: sortedFor(emitter.nodes, outputs), outputs };
  }
}

/** Refuses operators with random results: the derivative of a subgraph runs it a second time, which must give the same results. */
function refuseRandom(view: NodeView): void {
  const { node, operator, attributes } = view;
  const repeats = operator.deterministic || subgraphsOf(node).length > 0 || attributes.seed !== undefined;
  const idle = node.op === 'Dropout' && !view.given(2);
  if (!repeats && !idle)
    view.fail('UNSUPPORTED_OPERATOR', 'draws numbers inside a differentiated subgraph; it needs the attribute "seed"');
}
