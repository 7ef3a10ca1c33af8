import { type GraphBuilder, type OutputSpec, type OutputsOf, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { noise } from './noise.js';

/** Layers of transformers as PyTorch's exporter writes them, with weights from a seed. */
export class Layers {
  #count = 0;

  constructor(
    readonly b: GraphBuilder,
    readonly seed: number,
  ) {}

  /** Layers of a subgraph. */
  within(b: GraphBuilder): Layers {
    return new Layers(b, this.seed + 1009 * ++this.#count);
  }

  weight(dims: readonly number[], scale = 1 / Math.sqrt(dims[0] as number), center = 0): Value {
    const seed = this.seed * 7919 + 104729 * this.#count;
    return this.b.constant(this.#name('weight'), noise(seed, dims, scale, center));
  }

  constant(name: string, value: TensorValue): Value {
    return this.b.constant(this.#name(name), value);
  }

  #name(kind: string): string {
    return `${kind}_${this.seed}_${this.#count++}`;
  }

  number(value: number): Value {
    return this.b.constant(this.#name('number'), tensor('float32', [], [value]));
  }

  integers(...values: number[]): Value {
    return this.b.constant(this.#name('integers'), tensor('int64', [values.length], values));
  }

  integer(value: number): Value {
    return this.b.constant(this.#name('integer'), tensor('int64', [], [value]));
  }

  op(name: string, inputs: readonly (Value | null)[], attributes: Parameters<GraphBuilder['op']>[2] = {}): Value {
    return this.b.op(name, inputs, attributes);
  }

  /** A node of com.microsoft. */
  microsoft<const S extends OutputSpec = 1>(
    name: string,
    inputs: readonly (Value | null)[],
    attributes: Parameters<GraphBuilder['op']>[2] = {},
    outputs?: S,
  ): OutputsOf<S> {
    const options = { domain: 'com.microsoft', ...(outputs !== undefined && { outputs }) };
    return this.b.node(name, inputs, attributes, options) as OutputsOf<S>;
  }

  linear(x: Value, inputs: number, outputs: number): Value {
    return this.op('Add', [this.project(x, inputs, outputs), this.weight([outputs], 0.1)]);
  }

  /** As `linear`, without a bias. */
  project(x: Value, inputs: number, outputs: number): Value {
    return this.op('MatMul', [x, this.weight([inputs, outputs])]);
  }

  layerNorm(x: Value, size: number): Value {
    return this.b.op('LayerNormalization', [x, this.weight([size], 0.2, 1), this.weight([size], 0.1)], { axis: -1 });
  }

  rmsNorm(x: Value, size: number): Value {
    const square = this.op('ReduceMean', [this.op('Pow', [x, this.number(2)])], { axes: [-1] });
    const norm = this.op('Sqrt', [this.op('Add', [square, this.number(1e-6)])]);
    return this.op('Mul', [this.op('Div', [x, norm]), this.weight([size], 0.2, 1)]);
  }

  gelu(x: Value): Value {
    const half = this.op('Mul', [x, this.number(0.5)]);
    const erf = this.op('Erf', [this.op('Div', [x, this.number(Math.SQRT2)])]);
    return this.op('Mul', [half, this.op('Add', [erf, this.number(1)])]);
  }

  silu(x: Value): Value {
    return this.op('Mul', [x, this.op('Sigmoid', [x])]);
  }

  /** [batch, sequence, heads · size] as [batch, heads, sequence, size]. */
  splitHeads(x: Value, heads: number, size: number): Value {
    return this.op('Transpose', [this.op('Reshape', [x, this.integers(0, 0, heads, size)])], { perm: [0, 2, 1, 3] });
  }

  mergeHeads(x: Value, width: number): Value {
    return this.op('Reshape', [this.op('Transpose', [x], { perm: [0, 2, 1, 3] }), this.integers(0, 0, width)]);
  }

  attention(q: Value, k: Value, v: Value, bias: Value | null, size: number): Value {
    const scores = this.op('MatMul', [q, this.op('Transpose', [k], { perm: [0, 1, 3, 2] })]);
    const scaled = this.op('Div', [scores, this.number(Math.sqrt(size))]);
    const biased = bias ? this.op('Add', [scaled, bias]) : scaled;
    return this.op('MatMul', [this.op('Softmax', [biased], { axis: -1 }), v]);
  }

  /** int64 0/1 as 0 where 1 and a large negative number where 0. */
  maskBias(mask: Value, least = -1e9): Value {
    const kept = this.op('Cast', [mask], { to: 1 });
    return this.op('Mul', [this.op('Sub', [this.number(1), kept]), this.number(least)]);
  }

  sizeOf(x: Value, axis: number): Value {
    return this.op('Gather', [this.op('Shape', [x]), this.integer(axis)]);
  }
}
