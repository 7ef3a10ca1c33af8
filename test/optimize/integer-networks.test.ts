import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { draw } from '../contrib/case.js';

const test = suite('networks of integers');
const { floats, ints, unit } = draw(5);

let count = 0;
const constant = (
  b: GraphBuilder,
  type: 'float32' | 'uint8' | 'int8' | 'int32',
  dims: readonly number[],
  data: readonly number[],
) => b.constant(`c${count++}`, tensor(type, dims, data));

const one = (b: GraphBuilder, op: string, inputs: readonly Value[], attributes = {}) =>
  b.node(op, inputs, attributes)[0] as Value;

/** The value kept in uint8. */
function kept(b: GraphBuilder, x: Value, scale: number, zero = 128): Value {
  const step = [constant(b, 'float32', [], [scale]), constant(b, 'uint8', [], [zero])];
  return one(b, 'DequantizeLinear', [one(b, 'QuantizeLinear', [x, ...step]), ...step]);
}

/** int8 weights, a scale for each position of `axis`. */
function weights(b: GraphBuilder, dims: readonly number[], axis: number): Value {
  const w = b.constant(`w${count++}`, ints('int8', dims, -127, 127));
  const scales = Array.from({ length: dims[axis] as number }, () => 0.002 + 0.002 * unit());
  const zeros = scales.map(() => 0);
  return one(
    b,
    'DequantizeLinear',
    [w, constant(b, 'float32', [scales.length], scales), constant(b, 'int8', [scales.length], zeros)],
    {
      axis,
    },
  );
}

interface Built {
  readonly dims: readonly number[];
  /** The step of the result, or of what it is rounded to on the way. */
  readonly step: number;
  /** The rules that must apply, and how often. */
  readonly rules: Readonly<Record<string, number>>;
  readonly build: (b: GraphBuilder, x: Value) => Value;
}

const [REQUANTISED, FLOATS, MOVED, SCALED, BIAS, ARITHMETIC, TABLE, MAXIMA] = [
  'product of integers, requantized',
  'product of integers in floats',
  'integers moved as they are',
  'product of integers, scaled',
  'bias into a product of integers',
  'arithmetic of integers, requantized',
  'function of bytes by a table',
  'maxima of integers',
];

/** int8, where `kept` makes uint8. */
function keptSigned(b: GraphBuilder, x: Value, scale: number, zero: number): Value {
  const step = [constant(b, 'float32', [], [scale]), constant(b, 'int8', [], [zero])];
  return one(b, 'DequantizeLinear', [one(b, 'QuantizeLinear', [x, ...step]), ...step]);
}

const NETWORKS: Readonly<Record<string, Built>> = {
  'a sum and Relu, to the bit': {
    dims: [2, 3, 5, 37],
    step: 0,
    rules: { [ARITHMETIC]: 1, [TABLE]: 1 },
    build(b, x) {
      const y = keptSigned(b, one(b, 'Sin', [kept(b, x, 0.03, 100)]), 0.007, -11);
      return kept(b, one(b, 'Relu', [one(b, 'Add', [kept(b, x, 0.03, 100), y])]), 0.013, 5);
    },
  },
  'a difference from one of each channel and Clip, to the bit': {
    dims: [2, 7, 4, 9],
    step: 0,
    rules: { [ARITHMETIC]: 1 },
    build(b, x) {
      const mean = kept(b, one(b, 'GlobalAveragePool', [kept(b, x, 0.03)]), 0.002, 128);
      const bounds = [constant(b, 'float32', [], [-0.3]), constant(b, 'float32', [], [0.9])];
      return keptSigned(b, one(b, 'Clip', [one(b, 'Sub', [kept(b, x, 0.03), mean]), ...bounds]), 0.011, 3);
    },
  },
  'a product with one of each row and another tensor, to the bit': {
    dims: [3, 5, 6, 33],
    step: 0,
    rules: { [ARITHMETIC]: 2 },
    build(b, x) {
      const row = kept(b, b.constant('row', floats([5, 1, 33])), 0.02, 99);
      const y = keptSigned(b, one(b, 'Mul', [row, kept(b, x, 0.03)]), 0.017, 1);
      return kept(b, one(b, 'Mul', [y, kept(b, x, 0.03)]), 0.05, 30);
    },
  },
  'functions by tables, to the bit': {
    dims: [1, 3, 7, 5],
    step: 0,
    rules: { [TABLE]: 3 },
    build(b, x) {
      const input = kept(b, x, 0.03);
      const swish = kept(b, one(b, 'HardSwish', [input]), 0.02, 20);
      const shifted = one(b, 'Add', [swish, constant(b, 'float32', [1, 1, 1], [0.3])]);
      const gated = keptSigned(b, one(b, 'Mul', [shifted, one(b, 'HardSigmoid', [shifted])]), 0.02, -90);
      return kept(b, one(b, 'LeakyRelu', [gated]), 0.03, 7);
    },
  },
  'the largest of windows, to the bit': {
    dims: [2, 21, 9, 10],
    step: 0,
    rules: { [MAXIMA]: 2 },
    build(b, x) {
      const attributes = { kernel_shape: [3, 2], strides: [2, 1], pads: [1, 0, 1, 1] };
      const y = kept(b, one(b, 'MaxPool', [kept(b, x, 0.03)], attributes), 0.03);
      const signed = keptSigned(b, y, 0.02, -7);
      return keptSigned(b, one(b, 'MaxPool', [signed], { kernel_shape: [2, 2], dilations: [2, 1] }), 0.02, -7);
    },
  },
  'tensors of other steps that are joined, to the bit': {
    dims: [2, 3, 4, 5],
    step: 0,
    rules: { [MOVED]: 2 },
    build(b, x) {
      const all = [kept(b, x, 0.03), keptSigned(b, x, 0.02, 4), kept(b, x, 0.017, 3)];
      const joined = kept(b, one(b, 'Concat', all, { axis: 1 }), 0.02, 128);
      return keptSigned(b, one(b, 'Reshape', [joined, b.constant('shape', tensor('int64', [2], [2, -1]))]), 0.05, 1);
    },
  },
  'Conv with a bias in integers and Relu': {
    dims: [1, 3, 9, 8],
    step: 0.02,
    rules: { [REQUANTISED]: 1 },
    build(b, x) {
      const bias = one(b, 'DequantizeLinear', [
        b.constant('bias', ints('int32', [5], -900, 900)),
        constant(b, 'float32', [], [1e-4]),
      ]);
      const y = one(b, 'Conv', [kept(b, x, 0.03), weights(b, [5, 3, 3, 3], 0), bias], {
        pads: [1, 0, 1, 2],
        strides: [2, 1],
      });
      return kept(b, one(b, 'Relu', [y]), 0.02, 3);
    },
  },
  'depthwise Conv with a bias in floats and Clip': {
    dims: [2, 12, 6, 7],
    step: 0.02,
    rules: { [REQUANTISED]: 1 },
    build(b, x) {
      const bias = b.constant('bias', floats([12], 0.3));
      const y = one(b, 'Conv', [kept(b, x, 0.03), weights(b, [12, 1, 3, 3], 0), bias], {
        pads: [1, 1, 1, 1],
        group: 12,
      });
      const bounds = [constant(b, 'float32', [], [-0.3]), constant(b, 'float32', [], [0.9])];
      return kept(b, one(b, 'Clip', [y, ...bounds]), 0.02);
    },
  },
  'Gemm of transposed weights': {
    dims: [7, 20],
    step: 0.05,
    rules: { [REQUANTISED]: 1 },
    build: (b, x) =>
      kept(
        b,
        one(b, 'Gemm', [kept(b, x, 0.03), weights(b, [9, 20], 0), b.constant('bias', floats([9]))], { transB: 1 }),
        0.05,
      ),
  },
  'MatMul between views, whose result stays in floats': {
    dims: [4, 6, 10],
    step: 1e-5,
    rules: { [MOVED]: 1, [FLOATS]: 1 },
    build(b, x) {
      const turned = kept(b, one(b, 'Transpose', [kept(b, x, 0.03)], { perm: [1, 0, 2] }), 0.03);
      return one(b, 'MatMul', [turned, weights(b, [10, 11], 1)]);
    },
  },
  'two that are added': {
    dims: [1, 4, 5, 5],
    step: 0.08,
    rules: { [REQUANTISED]: 2, [ARITHMETIC]: 1 },
    build(b, x) {
      const input = kept(b, x, 0.03);
      const [y, z] = [0, 1].map(() => kept(b, one(b, 'Conv', [input, weights(b, [6, 4, 1, 1], 0)]), 0.04));
      return kept(b, one(b, 'Add', [y as Value, z as Value]), 0.05);
    },
  },
  'a product of activations quantised as they come': {
    dims: [3, 5, 16],
    step: 1e-5,
    rules: { [SCALED]: 1, [BIAS]: 1 },
    build(b, x) {
      const [q, scale, zero] = b.node('DynamicQuantizeLinear', [x], {}, { outputs: 3 }) as [Value, Value, Value];
      const w = b.constant('w', ints('int8', [16, 9], -127, 127));
      const sums = one(b, 'MatMulInteger', [q, w, zero, constant(b, 'int8', [], [2])]);
      const scales = one(b, 'Mul', [scale, constant(b, 'float32', [1], [0.004])]);
      const y = one(b, 'Mul', [one(b, 'Cast', [sums], { to: 1 }), scales]);
      return one(b, 'Add', [b.constant('bias', floats([9])), y]);
    },
  },
};

async function results(model: Uint8Array, x: TensorValue, options: object) {
  const session = await InferenceSession.create(model, options);
  const y = (await session.run({ x })).y as TensorValue;
  const applied = session.rewrites.applied.map(({ rule }) => rule);
  await session.release();
  return { y, applied };
}

for (const [name, { dims, step, rules, build }] of Object.entries(NETWORKS)) {
  test(name, async () => {
    const b = modelBuilder({ opset: 21 });
    b.output('y', build(b, b.input('x', 'float32', dims)));
    const model = b.toBytes();
    const x = floats(dims, 1.3);
    const optimized = await results(model, x, {});
    const plain = await results(model, x, { graphOptimizationLevel: 'disabled' });
    for (const [rule, times] of Object.entries(rules))
      assert.is(optimized.applied.filter((r) => r === rule).length, times, rule);
    assert.equal(optimized.y.dims, plain.y.dims);
    const expected = plain.y.data as Float32Array;
    (optimized.y.data as Float32Array).forEach((y, i) => {
      assert.ok(Math.abs(y - (expected[i] as number)) <= 1.001 * step, `${y} instead of ${expected[i]} at ${i}`);
    });
    assert.ok(new Set(expected).size > 5);
  });
}

test('blocks of weights, steps that are fed and integers that are read elsewhere stay as they are', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = kept(b, b.input('x', 'float32', [3, 8]), 0.03);
  const fed = b.input('scale', 'float32', []);
  const w = one(b, 'DequantizeLinear', [b.constant('w', ints('int8', [8, 4], -9, 9)), fed]);
  const y = one(b, 'MatMul', [x, w]);
  b.output('sum', y);
  b.output('y', kept(b, y, 0.1));
  const session = await InferenceSession.create(b.toBytes());
  const { sum } = await session.run({ x: floats([3, 8]), scale: tensor('float32', [], [0.5]) });
  assert.equal(sum?.dims, [3, 4]);
  assert.not(session.rewrites.applied.some(({ rule }) => rule.includes('integers')));
});

test.run();
