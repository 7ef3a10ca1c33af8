import type { Emitter } from '../analysis/decompose.js';
import { NodeView } from '../analysis/node-view.js';
import { capturesOf, subgraphsOf } from '../graph/captures.js';
import type { Facts } from '../graph/facts.js';
import type { Attribute, Graph, Node, Value } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import type { Backward, Scope } from '../ops/training/gradients/backward.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** The backpropagation that a view belongs to. */
interface Backpropagating extends Scope {
  readonly facts: Facts;
  readonly emitter: Emitter;
  isActive(value: Value): boolean;
}

/** A node as its backward rule sees it. */
export class BackwardView extends NodeView implements Backward {
  readonly captures: readonly Value[];
  /** Outputs whose derivatives the rule has read. */
  readonly #read = new Set<Value>();

  constructor(
    node: Node,
    private readonly place: Backpropagating,
    private readonly derivatives: ReadonlyMap<Value, Value>,
  ) {
    super(node, place.facts);
    this.captures = [...new Set(subgraphsOf(node).flatMap(capturesOf))].filter(place.isActive);
  }

  get since(): number {
    return this.operator.since;
  }

  typeOf(value: Value): ValueType | undefined {
    return this.facts.get(value)?.type;
  }

  input(i: number): Value {
    return this.operand(i);
  }

  output(i: number): Value {
    const { name, outputs } = this.node;
    outputs[i] ??= { name: `${name}/${i}` };
    return outputs[i];
  }

  upstream(i: number): Value | null {
    const value = this.node.outputs[i];
    if (!value) return null;
    this.#read.add(value);
    return this.derivatives.get(value) ?? null;
  }

  /** Throws an error if the rule has ignored the derivative of an output. */
  refuseUnread(): void {
    this.node.outputs.forEach((value, i) => {
      if (value && this.derivatives.has(value) && !this.#read.has(value))
        this.fail('UNSUPPORTED_OPERATOR', `its output ${i} has no derivative`);
    });
  }

  emit(operator: string, inputs: readonly (Value | null)[], attributes?: Record<string, Attribute>, outputs?: number) {
    return this.place.emit(operator, inputs, attributes, outputs);
  }

  repeat(inputs: readonly (Value | null)[]): Value {
    return this.place.emitter.repeat(this.node, inputs)[0] as Value;
  }

  constant(value: TensorValue): Value {
    return this.place.constant(value);
  }

  through(...call: Parameters<Scope['through']>): (Value | null)[] {
    return this.place.through(...call);
  }

  graph(name: string, inputs: readonly Value[], build: (scope: Scope) => readonly Value[]): Graph {
    return this.place.graph(name, inputs, build);
  }
}
