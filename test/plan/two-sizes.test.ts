import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bestVariant } from '../../bindings/features.js';
import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { env, InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { numbers, randomly } from '../session/run-model.js';
import { sampled } from '../tier.js';
import { int64s } from '../values.js';
import { outputsOf, runnerOf } from './runners.js';

type Model = ReturnType<typeof modelBuilder>;
type Size = readonly [height: number, width: number];

/** A model of pictures, what their sizes are multiples of, and how many of 60 sizes a stage that is there serves, at least. */
interface Case {
  readonly build: (b: Model, x: Value) => void;
  readonly inputs?: (size: Size) => readonly TensorValue[];
  readonly unit: number;
  readonly moved: number;
}

const CHANNELS = 4;

const weights = (b: Model, name: string, dims: readonly number[]) => b.constant(name, numbers(dims, name.length));
const list = (b: Model, ...values: number[]) => b.op('Constant', [], { value: int64s(values) });
const factors = (b: Model, name: string, ...values: number[]) =>
  b.constant(name, { type: 'float32', dims: [values.length], data: Float32Array.from(values) } as TensorValue);

function conv(b: Model, x: Value, name: string, from: number, to: number, kernel: number, more: object = {}): Value {
  const pad = kernel >> 1;
  const w = weights(b, `${name}_weights`, [to, from, kernel, kernel]);
  return b.op('Conv', [x, w, weights(b, `${name}_bias`, [to])], { pads: [pad, pad, pad, pad], ...more });
}

const pixels = ([height, width]: Size): TensorValue => numbers([1, CHANNELS, height, width], height + width);

/** What sizes of a value are, from an axis on. */
const sizesOf = (b: Model, value: Value) => b.op('Slice', [b.op('Shape', [value]), list(b, 2), list(b, 4), list(b, 0)]);

const CASES: Readonly<Record<string, Case>> = {
  'a U-Net: down by two ways of pooling, up by a transposed convolution and by interpolation': {
    build(b, x) {
      const one = b.op('LeakyRelu', [conv(b, x, 'one', CHANNELS, 16, 3)], { alpha: 0.1 });
      const down = b.op('MaxPool', [conv(b, one, 'deep', 16, 16, 3)], { kernel_shape: [2, 2], strides: [2, 2] });
      const wide = conv(b, down, 'two', 16, 32, 3);
      const groups = b.op('Reshape', [wide, list(b, 0, 4, -1)]);
      const scale = [weights(b, 's', [4]), weights(b, 'bb', [4])] as const;
      const normal = b.op('InstanceNormalization', [groups, ...scale]);
      const two = b.op('Sigmoid', [b.op('Reshape', [normal, b.op('Shape', [wide])])]);
      const deep = b.op('AveragePool', [two], { kernel_shape: [2, 2], strides: [2, 2] });
      const up = b.op('ConvTranspose', [deep, weights(b, 'up', [32, 16, 2, 2])], { strides: [2, 2] });
      const joined = conv(b, b.op('Concat', [two, up], { axis: 1 }), 'joined', 48, 16, 3);
      const whole = b.op('Resize', [joined, null, factors(b, 'twice', 1, 1, 2, 2)], { mode: 'linear' });
      b.output('mask', b.op('Sigmoid', [conv(b, b.op('Concat', [one, whole], { axis: 1 }), 'mask', 32, 1, 1)]));
    },
    unit: 4,
    moved: 30,
  },
  'grouped, depthwise and strided convolutions': {
    build(b, x) {
      const stem = b.op('Relu', [conv(b, x, 'stem', CHANNELS, 16, 3, { strides: [2, 2] })]);
      const grouped = b.op('Clip', [conv(b, stem, 'grouped', 4, 24, 3, { group: 4 }), factors(b, 'low', 0)]);
      const alone = conv(b, grouped, 'alone', 1, 24, 5, { group: 24 });
      const least = b.op('Conv', [alone, weights(b, 'wide', [8, 24, 3, 1])], { pads: [2, 0, 2, 0], dilations: [2, 1] });
      b.output('y', b.op('Add', [least, conv(b, grouped, 'short', 24, 8, 1)]));
      b.output('mean', b.op('GlobalAveragePool', [least]));
    },
    unit: 2,
    moved: 30,
  },
  'what a detector makes of three scales: sizes as it finds them, boxes in rows': {
    build(b, x) {
      const fine = b.op('Relu', [conv(b, x, 'fine', CHANNELS, 8, 3, { strides: [2, 2] })]);
      const coarse = b.op('Relu', [conv(b, fine, 'coarse', 4, 8, 3, { strides: [2, 2], group: 2 })]);
      const seen = [5, 9].map((k) =>
        b.op('MaxPool', [coarse], { kernel_shape: [k, k], pads: [k >> 1, k >> 1, k >> 1, k >> 1], strides: [1, 1] }),
      );
      const spatial = b.op('Concat', [coarse, ...seen], { axis: 1 });
      const target = b.op('Concat', [list(b, 1, 24), sizesOf(b, fine)], { axis: 0 });
      const wide = b.op('Resize', [spatial, null, null, target], {
        mode: 'nearest',
        coordinate_transformation_mode: 'asymmetric',
        nearest_mode: 'floor',
      });
      const heads = [b.op('Concat', [wide, fine], { axis: 1 }), spatial].map((head, i) => {
        const boxes = conv(b, head, `head${i}`, i === 0 ? 32 : 24, 6, 1);
        return b.op('Reshape', [b.op('Transpose', [boxes], { perm: [0, 2, 3, 1] }), list(b, 1, -1, 6)]);
      });
      b.output('boxes', b.op('Sigmoid', [b.op('Concat', heads, { axis: 1 })]));
    },
    unit: 4,
    moved: 30,
  },
  'boxes of which the best are left': {
    build(b, x) {
      const boxes = b.op('Reshape', [b.op('Sigmoid', [conv(b, x, 'boxes', CHANNELS, 4, 1)]), list(b, 1, -1, 4)]);
      const scores = b.op('Reshape', [conv(b, x, 'scores', CHANNELS, 1, 3), list(b, 1, 1, -1)]);
      const most = b.constant('most', int64s([3]));
      const found = b.op('NonMaxSuppression', [boxes, scores, most, factors(b, 'overlap', 0.5)]);
      b.output('found', b.op('Gather', [boxes, b.op('Gather', [found, list(b, 2)], { axis: 1 })], { axis: 1 }));
    },
    unit: 1,
    moved: 0,
  },
  'a picture and a mask of half its size': {
    build(b, x) {
      const mask = b.input('mask', 'float32', [1, 1, 'h2', 'w2']);
      const half = b.op('AveragePool', [x], { kernel_shape: [2, 2], strides: [2, 2] });
      b.output('y', conv(b, b.op('Mul', [half, mask]), 'y', CHANNELS, 16, 3));
    },
    inputs: (size) => [pixels(size), numbers([1, 1, size[0] / 2, size[1] / 2], 3)],
    unit: 2,
    moved: 30,
  },
  'what changes its algorithm with the size, and rows of pictures': {
    build(b, x) {
      const y = conv(b, b.op('Relu', [conv(b, x, 'a', CHANNELS, 16, 3)]), 'b', 16, 16, 3);
      b.output('rows', b.op('MatMul', [b.op('ReduceMax', [y], { keepdims: 0, axes: [3] }), b.op('Relu', [y])]));
      b.output('padded', b.op('Pad', [y, list(b, 0, 0, 1, 2, 0, 0, 3, 1)], { mode: 'reflect' }));
    },
    unit: 1,
    moved: 0,
  },
};

function modelOf({ build }: Case): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  build(b, b.input('x', 'float32', [1, CHANNELS, 'h', 'w']));
  return b.toBytes();
}

const inputsOf = ({ inputs = (size) => [pixels(size)] }: Case, size: Size) => inputs(size);

/** Heights and widths of up to 24 units at random. */
function sizes(count: number, unit: number): Size[] {
  const next = randomly(17);
  const side = () => unit * (2 + Math.floor(next() * 23));
  return Array.from({ length: count }, () => [side(), side()]);
}

const test = sampled(suite('plans are moved to two other sizes'), { quick: 1 / 4, ci: 1 / 2 });
test.after(() => {
  env.wasm.variant = 'auto';
});

for (const [name, each] of Object.entries(CASES))
  for (const guardBytes of [0, 64])
    test(`${name}: 60 sizes give the bits of plans of their own, ${guardBytes} guard bytes`, async () => {
      const model = modelOf(each);
      const { runner } = await runnerOf(model, {}, guardBytes, undefined, true);
      const { runner: planned, tracing } = await runnerOf(model, {}, guardBytes, 1);
      tracing.functions = {};
      let same = 0;
      for (const size of sizes(60, each.unit)) {
        const last = runner.lastStages[0];
        const inputs = inputsOf(each, size);
        for (let again = 0; again < 2; again++)
          assert.equal(outputsOf(runner, inputs), outputsOf(planned, inputs), `size ${size}`);
        if (runner.lastStages[0] === last) same++;
      }
      assert.ok(same >= each.moved, `${same} of 60 sizes by the stage of the one before`);
      runner.release();
      planned.release();
    });

for (const variant of new Set(['simd', bestVariant()] as const))
  for (const intraOpNumThreads of [1, 3])
    test(`sessions: pictures of sizes at random, ${variant}, ${intraOpNumThreads} threads`, async () => {
      env.wasm.variant = variant;
      const [each] = Object.values(CASES) as [Case];
      const model = modelOf(each);
      const session = await InferenceSession.create(model, { intraOpNumThreads });
      const fresh = () => InferenceSession.create(model, { intraOpNumThreads: 1 });
      for (const size of sizes(12, each.unit)) {
        const alone = await fresh();
        const feeds = { x: inputsOf(each, size)[0] };
        const expected = await alone.run(feeds as never);
        for (let again = 0; again < 2; again++)
          assert.equal(await session.run(feeds as never), expected, `size ${size}`);
        await alone.release();
      }
      await session.release();
    });

test('memory is given back', async () => {
  const [each] = Object.values(CASES) as [Case];
  const left = async (count: number) => {
    const { runner, engine, arena } = await runnerOf(modelOf(each), {}, 0, 200_000, true);
    for (const size of sizes(count, each.unit)) outputsOf(runner, inputsOf(each, size));
    runner.release();
    return engine.regions.bytes - Math.ceil(arena.capacity / 64) * 64;
  };
  assert.is(await left(40), await left(1));
});

test.run();
