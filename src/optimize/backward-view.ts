import type { Facts } from '../graph/facts.js';
import type { Attribute, Node, Value } from '../graph/graph.js';
import type { Emitter } from '../ops/decompose.js';
import { NodeView } from '../ops/node-view.js';
import type { Backward } from '../ops/training/gradients/backward.js';
import type { TensorValue } from '../tensor/tensor-value.js';

/** A node as the rule that takes its derivatives sees it. */
export class BackwardView extends NodeView implements Backward {
  constructor(
    node: Node,
    facts: Facts,
    private readonly emitter: Emitter,
    private readonly derivatives: ReadonlyMap<Value, Value>,
  ) {
    super(node, facts);
  }

  get since(): number {
    return this.operator.since;
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
    return (value && this.derivatives.get(value)) ?? null;
  }

  emit(operator: string, inputs: readonly (Value | null)[], attributes?: Record<string, Attribute>, outputs?: number) {
    return this.emitter.emit(operator, inputs, attributes, outputs);
  }

  repeat(inputs: readonly (Value | null)[]): Value {
    return this.emitter.repeat(this.node, inputs)[0] as Value;
  }

  constant(value: TensorValue): Value {
    return this.emitter.constant(value);
  }
}
