import { type GraphBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';

/** Layers of transformers as PyTorch's exporter writes them, with weights from a seed. */
export class Layers {
  #state: number;
  #count = 0;

  constructor(
    readonly b: GraphBuilder,
    seed: number,
  ) {
    this.#state = seed;
  }

  /** Values in -1…1, of which each seed has its own (mulberry32). */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  }

  weight(dims: readonly number[], scale = 1 / Math.sqrt(dims[0] as number), center = 0): Value {
    const count = dims.reduce((a, b) => a * b, 1);
    const data = Float32Array.from({ length: count }, () => center + scale * this.#random());
    return this.b.constant(`weight_${this.#count++}`, tensor('float32', dims, data));
  }

  number(value: number): Value {
    return this.b.constant(`number_${this.#count++}`, tensor('float32', [], [value]));
  }

  integers(...values: number[]): Value {
    return this.b.constant(`integers_${this.#count++}`, tensor('int64', [values.length], values));
  }

  integer(value: number): Value {
    return this.b.constant(`integer_${this.#count++}`, tensor('int64', [], [value]));
  }

  op(name: string, inputs: readonly (Value | null)[], attributes: Parameters<GraphBuilder['op']>[2] = {}): Value {
    return this.b.op(name, inputs, attributes);
  }

  linear(x: Value, inputs: number, outputs: number): Value {
    return this.op('Add', [this.op('MatMul', [x, this.weight([inputs, outputs])]), this.weight([outputs], 0.1)]);
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

  attention(q: Value, k: Value, v: Value, bias: Value, size: number): Value {
    const scores = this.op('MatMul', [q, this.op('Transpose', [k], { perm: [0, 1, 3, 2] })]);
    const scaled = this.op('Div', [scores, this.number(Math.sqrt(size))]);
    return this.op('MatMul', [this.op('Softmax', [this.op('Add', [scaled, bias])], { axis: -1 }), v]);
  }

  /** int64 0/1 as 0 where 1 and a large negative number where 0. */
  maskBias(mask: Value): Value {
    const kept = this.op('Cast', [mask], { to: 1 });
    return this.op('Mul', [this.op('Sub', [this.number(1), kept]), this.number(-1e9)]);
  }

  sizeOf(x: Value, axis: number): Value {
    return this.op('Gather', [this.op('Shape', [x]), this.integer(axis)]);
  }
}
