import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MemoryPlan } from '../../src/backends/memory-plan.js';
import type { AttributeInputs } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import { fromFloat16, toFloat16 } from '../../src/tensor/half.js';
import { elementCount } from '../../src/tensor/tensor-value.js';
import { isAtLeast, sampled } from '../tier.js';
import { f32 } from '../values.js';
import { asTensorValue, modelOf, numbers, open, type SessionOptions } from './run-model.js';

const test = sampled(suite('weights in halves'), { quick: 1 / 4 });

interface Case {
  readonly x: readonly number[];
  readonly w: readonly number[];
  /** What of the weights is other than numbers around 0.1. */
  readonly odd?: readonly number[];
  readonly feed?: readonly number[];
  readonly build: (b: ModelBuilder, x: Value, w: Value) => Value;
}

const FLOAT = 1;

const made = (b: ModelBuilder, op: string, inputs: Value[], attributes: AttributeInputs = {}) =>
  b.node(op, inputs, attributes)[0] as Value;

/** Halves of every size that weights have, subnormal ones and zeros of both signs among them. */
function halvesOf({ w, odd = [] }: Case): Uint16Array {
  const values = numbers(w, 5).data as Float32Array;
  const sizes = [0.1, 0.02, 1e-4, 1e-6, 8, 0, -0];
  return Uint16Array.from(values, (x, i) =>
    toFloat16(i < odd.length ? (odd[i] as number) : x * (sizes[i % 7] as number)),
  );
}

/** The model with its weights in halves, which it casts, or in floats. */
function modelFor(c: Case, isHalf: boolean): Uint8Array {
  const halves = halvesOf(c);
  return modelOf((b, x) => {
    const w = isHalf
      ? made(b, 'Cast', [b.constant('w', { type: 'float16', dims: c.w, data: halves })], { to: FLOAT })
      : b.constant('w', f32(c.w, Float32Array.from(halves, fromFloat16)));
    b.output('y', c.build(b, x, w));
  }, c.x);
}

const bias = (b: ModelBuilder, n: number) => b.constant('bias', numbers([n], 9));
const product = (b: ModelBuilder, x: Value, w: Value) => made(b, 'MatMul', [x, w]);
const gelu = (b: ModelBuilder, x: Value) => made(b, 'Gelu', [x], { approximate: 'tanh' });
const conv = (attributes: AttributeInputs) => (b: ModelBuilder, x: Value, w: Value) =>
  made(b, 'Relu', [made(b, 'Conv', [x, w, bias(b, 24)], attributes)]);

const rows = (m: number): Case => ({
  x: [m, 70],
  w: [70, 75],
  build: (b, x, w) => gelu(b, made(b, 'Gemm', [x, w, bias(b, 75)])),
});

const CASES: Readonly<Record<string, Case>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 7, 70, 130].map((m) => [`${m} rows`, rows(m)])),
  'one row, columns along memory': {
    x: [1, 96],
    w: [101, 96],
    build: (b, x, w) =>
      made(b, 'Clip', [made(b, 'Gemm', [x, w, bias(b, 101)], { transB: 1 }), b.constant('low', f32([], [-0.1]))]),
  },
  'many rows, columns along memory': {
    x: [33, 96],
    w: [45, 96],
    build: (b, x, w) => made(b, 'Gemm', [x, w], { transB: 1 }),
  },
  'batches of rows, with a residual': {
    x: [3, 5, 64],
    w: [64, 64],
    build: (b, x, w) => made(b, 'Add', [product(b, x, w), x]),
  },
  'long sums': { x: [1, 9000], w: [9000, 40], build: (b, x, w) => made(b, 'Add', [product(b, x, w), bias(b, 40)]) },
  'long sums of many rows': { x: [9, 17000], w: [17000, 20], build: product },
  'sums too long for a panel in scratch': { x: [9, 33000], w: [33000, 3], build: product },
  'large activations': { x: [1, 64], w: [64, 96], feed: [3e20, -1e9, 6.8e7], build: product },
  'infinite activations': { x: [1, 64], w: [64, 96], feed: [1, Number.POSITIVE_INFINITY], build: product },
  'a factor': { x: [2, 64], w: [64, 96], build: (b, x, w) => made(b, 'Gemm', [x, w], { alpha: 0.3 }) },
  'a weight of 63.97': {
    x: [2, 64],
    w: [64, 96],
    odd: [63.97, -63.97, 2 ** -24, -(2 ** -24), 2 ** -14],
    build: product,
  },
  'a weight of 64': { x: [2, 64], w: [64, 96], odd: [64], build: product },
  'an infinite weight': {
    x: [2, 64],
    w: [96, 64],
    odd: [-1 / 0],
    build: (b, x, w) => made(b, 'Gemm', [x, w], { transB: 1 }),
  },
  'weights that are NaN': { x: [2, 64], w: [64, 96], odd: [1, Number.NaN], build: product },
  'a convolution 1×1': { x: [2, 200, 5, 5], w: [24, 200, 1, 1], build: conv({}) },
  'a convolution 3×3, stride 2': {
    x: [1, 32, 11, 11],
    w: [24, 32, 3, 3],
    build: conv({ strides: [2, 2], pads: [1, 1, 1, 1] }),
  },
  'a convolution in groups': { x: [1, 64, 9, 9], w: [24, 32, 5, 5], build: conv({ group: 2 }) },
  'a convolution 1×1 in groups': { x: [1, 512, 9, 9], w: [24, 256, 1, 1], build: conv({ group: 2 }) },
  'a convolution by Winograd': {
    x: [1, 32, 12, 12],
    w: [24, 32, 3, 3],
    build: conv({ pads: [1, 1, 1, 1] }),
  },
  'a convolution by channels': {
    x: [1, 700, 9, 9],
    w: [700, 1, 3, 3],
    build: (b, x, w) => made(b, 'Conv', [x, w], { group: 700 }),
  },
};

async function resultOf(c: Case, isHalf: boolean, options: SessionOptions) {
  const session = await open(modelFor(c, isHalf), options);
  const x = numbers(c.x, 3);
  (x.data as Float32Array).set(c.feed ?? []);
  const { y } = await session.run({ x });
  const { linearMemory } = session.memoryPlan as MemoryPlan;
  await session.release();
  return { bits: new Uint32Array((asTensorValue(y).data as Float32Array).slice().buffer), linearMemory };
}

for (const [i, [name, c]] of Object.entries(CASES).entries()) {
  for (const threads of isAtLeast('all') ? [1, 2] : [1 + (i % 2)]) {
    test(`${name}: as floats to the bit, ${threads} threads`, async () => {
      const options = { intraOpNumThreads: threads };
      const [halves, floats] = [await resultOf(c, true, options), await resultOf(c, false, options)];
      assert.equal(halves.bits, floats.bits);
    });
  }
}

const LARGE: Readonly<Record<string, Case>> = {
  'a product by a row': { x: [1, 512], w: [512, 512], build: product },
  'a product by many rows': { x: [16, 512], w: [512, 512], build: product },
  'a convolution 1×1': { x: [1, 512, 3, 3], w: [512, 512, 1, 1], build: (b, x, w) => made(b, 'Conv', [x, w]) },
};

for (const [name, c] of Object.entries(LARGE)) {
  test(`${name}: takes half of the memory`, async () => {
    const [halves, floats] = [await resultOf(c, true, {}), await resultOf(c, false, {})];
    assert.equal(halves.bits, floats.bits);
    const saved = floats.linearMemory - halves.linearMemory;
    assert.ok(saved >= 2 * elementCount(c.w), `${halves.linearMemory} bytes where floats take ${floats.linearMemory}`);
  });
}

test.run();
