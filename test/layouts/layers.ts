import { type GraphBuilder, type OutputSpec, type OutputsOf, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { noise } from './noise.js';

export interface ConvolutionShape {
  readonly kernel: readonly number[];
  readonly stride?: number;
  readonly dilation?: number;
  /** At each end of each axis. */
  readonly pads?: readonly number[];
  readonly hasBias?: boolean;
  readonly scale?: number;
}

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

  /** Of mean 0 and variance 1 along an axis, as opsets before 17 write what they have no LayerNormalization for. */
  standardized(x: Value, axis: number, epsilon = 1e-5): Value {
    const mean = (of: Value) => this.op('ReduceMean', [of], { axes: [axis], keepdims: 1 });
    const centered = this.op('Sub', [x, mean(x)]);
    const variance = mean(this.op('Pow', [centered, this.number(2)]));
    return this.op('Div', [centered, this.op('Sqrt', [this.op('Add', [variance, this.number(epsilon)])])]);
  }

  /** Convolutions that keep the size of what they see, divided by the stride. */
  convolution(x: Value, inputs: number, outputs: number, shape: ConvolutionShape): Value {
    const { kernel, stride = 1, dilation = 1, hasBias = true } = shape;
    const { pads = kernel.map((size) => ((size - 1) * dilation) >> 1) } = shape;
    const fan = kernel.reduce((a, b) => a * b, inputs);
    const weights = this.weight([outputs, inputs, ...kernel], shape.scale ?? Math.sqrt(3 / fan));
    return this.op('Conv', [x, weights, ...(hasBias ? [this.weight([outputs], 0.1)] : [])], {
      ...{ kernel_shape: [...kernel], strides: kernel.map(() => stride), dilations: kernel.map(() => dilation) },
      ...{ pads: [...pads, ...pads], group: 1 },
    });
  }

  /** Linear layers through these widths, with an activation between them. */
  perceptron(x: Value, widths: readonly number[], activate: (x: Value) => Value = (x) => this.op('Relu', [x])): Value {
    return widths.slice(1).reduce((y, width, i) => {
      const made = this.linear(y, widths[i] as number, width);
      return i === widths.length - 2 ? made : activate(made);
    }, x);
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

  /** A vector of sizes, known and computed ones. */
  dims(...sizes: readonly (Value | number)[]): Value {
    const vectors = sizes.map((size) =>
      typeof size === 'number' ? this.integers(size) : this.op('Unsqueeze', [size, this.integers(0)]),
    );
    return this.op('Concat', vectors, { axis: 0 });
  }

  reshaped(x: Value, ...sizes: readonly (Value | number)[]): Value {
    const known = sizes.filter((size) => typeof size === 'number');
    return this.op('Reshape', [x, known.length === sizes.length ? this.integers(...known) : this.dims(...sizes)]);
  }

  /** As PyTorch writes `expand`: −1 keeps a size. */
  expanded(x: Value, ...sizes: readonly (Value | number)[]): Value {
    const wanted = this.dims(...sizes);
    const one = { type: 'int64', dims: [1], data: BigInt64Array.of(1n) } as const;
    const ones = this.op('ConstantOfShape', [this.op('Shape', [wanted])], { value: one });
    const kept = this.op('Equal', [wanted, this.op('Mul', [ones, this.integer(-1)])]);
    return this.op('Expand', [x, this.op('Where', [kept, ones, wanted])]);
  }

  /** Indices begin, begin + step … before `end`, along an axis. */
  slice(x: Value, axis: number, begin: number, end = 2 ** 31, step = 1): Value {
    return this.op('Slice', [x, ...[begin, end, axis, step].map((value) => this.integers(value))]);
  }

  unsqueezed(x: Value, ...axes: readonly number[]): Value {
    return this.op('Unsqueeze', [x, this.integers(...axes)]);
  }
}
