import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import { InferenceSession, type SessionOptions, Tensor } from '../../src/index.js';
import { fromFloat16, toFloat16 } from '../../src/tensor/half.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { asTensorValue, randomly } from '../session/run-model.js';

const test = suite('half precision in floats');

const HALF = 10;
const FLOAT = 1;
const [HEADS, WIDTH] = [3, 72];

const count = (dims: readonly number[]) => dims.reduce((n, d) => n * d, 1);

function halves(dims: readonly number[], seed: number, size = 1): TensorValue {
  const next = randomly(seed);
  const data = Uint16Array.from({ length: count(dims) }, () => toFloat16(size * (2 * next() - 1)));
  return { type: 'float16', dims, data };
}

const scalar = (x: number) => tensor('float16', [], [x]);

interface Shape {
  /** Of a head. */
  readonly size: number;
  readonly heads?: number;
}

/** A decoder's layer as exporters write it out, all of it in halves, whose keys and values are put behind those given. */
function layer({ size, heads = HEADS }: Shape): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  let seed = 1;
  const weights = (rows: number, columns: number) =>
    b.constant(`w${seed}`, halves([rows, columns], seed++, 1 / Math.sqrt(rows)));
  const linear = (x: Value, rows: number, columns: number) =>
    b.op('Add', [b.op('MatMul', [x, weights(rows, columns)]), b.constant(`b${seed}`, halves([columns], seed++, 0.1))]);
  const split = (x: Value) =>
    b.op('Transpose', [b.op('Reshape', [x, b.constant(`s${seed++}`, tensor('int64', [4], [0, 0, heads, size]))])], {
      perm: [0, 2, 1, 3],
    });
  const past = ['key', 'value'].map((name) => b.input(`past_${name}`, 'float16', ['batch', heads, 'past', size]));
  const x = b.input('x', 'float16', ['batch', 'rows', WIDTH]);
  const norm = b.op('LayerNormalization', [
    x,
    b.constant('scale', halves([WIDTH], 90)),
    b.constant('shift', halves([WIDTH], 91)),
  ]);
  const [q, k, v] = [0, 1, 2].map(() => split(linear(norm, WIDTH, heads * size))) as [Value, Value, Value];
  const [key, value] = [k, v].map((own, i) => b.op('Concat', [past[i] as Value, own], { axis: 2 })) as [Value, Value];
  const scores = b.op('MatMul', [q, b.op('Transpose', [key], { perm: [0, 1, 3, 2] })]);
  const shares = b.op('Softmax', [b.op('Div', [scores, b.constant('root', scalar(Math.sqrt(size)))])], { axis: -1 });
  const attended = b.op('Transpose', [b.op('MatMul', [shares, value])], { perm: [0, 2, 1, 3] });
  const merged = b.op('Reshape', [attended, b.constant('merged', tensor('int64', [3], [0, 0, heads * size]))]);
  const y = b.op('Add', [x, linear(merged, heads * size, WIDTH)]);
  b.output('y', b.op('Add', [y, linear(gelu(b, linear(y, WIDTH, 128)), 128, WIDTH)]));
  b.output('present_key', key);
  b.output('present_value', value);
  return b.toBytes();
}

/** In parts. */
function gelu(b: ModelBuilder, x: Value): Value {
  const erf = b.op('Erf', [b.op('Div', [x, b.constant('root 2', scalar(Math.SQRT2))])]);
  const sum = b.op('Add', [erf, b.constant('one', scalar(1))]);
  return b.op('Mul', [b.op('Mul', [x, sum]), b.constant('half', scalar(0.5))]);
}

const open = (bytes: Uint8Array, options: SessionOptions = {}) =>
  InferenceSession.create(bytes, { intraOpNumThreads: 1, ...options });

/** Halves that differ by at most two steps of the larger of 1 and their own size: caches are rounded here and not in the reference. */
function assertNear(actual: TensorValue, expected: TensorValue, message: string): void {
  assert.equal([actual.type, ...actual.dims], [expected.type, ...expected.dims], message);
  for (const [i, bits] of (expected.data as Uint16Array).entries()) {
    const [x, y] = [fromFloat16((actual.data as Uint16Array)[i] as number), fromFloat16(bits)];
    assert.ok(Math.abs(x - y) <= 2 ** -9 * Math.max(1, Math.abs(y)), `${message}: [${i}] is ${x}, not ${y}`);
  }
}

/** A prompt and some tokens, each behind the caches of what came before, here and in double precision. */
async function speaks(shape: Shape, batch: number, options: SessionOptions): Promise<string[]> {
  const bytes = layer(shape);
  const [session, reference] = await Promise.all([
    open(bytes, options),
    open(bytes, { executionProviders: ['reference'] }),
  ]);
  const { heads = HEADS, size } = shape;
  const none = () => new Tensor('float16', new Uint16Array(0), [batch, heads, 0, size]);
  let past = { past_key: none() as TensorValue, past_value: none() as TensorValue };
  for (let i = 0; i < 6; i++) {
    const feeds = { x: halves([batch, i === 0 ? 19 : i === 4 ? 3 : 1, WIDTH], 200 + i) };
    const [here, there] = await Promise.all([session.run({ ...feeds, ...past }), reference.run({ ...feeds, ...past })]);
    for (const name of ['y', 'present_key', 'present_value'])
      assertNear(asTensorValue(here[name]), asTensorValue(there[name]), `${name} of run ${i}`);
    past = { past_key: asTensorValue(here.present_key), past_value: asTensorValue(here.present_value) };
  }
  session.startProfiling();
  await session.run({ x: halves([batch, 1, WIDTH], 300), ...past });
  session.endProfiling();
  const kernels = session.profile.map(({ kernel }) => String(kernel));
  await Promise.all([session.release(), reference.release()]);
  return kernels;
}

for (const threads of [1, 3])
  for (const [size, heads, batch] of [
    [16, 3, 1],
    [64, 2, 2],
    [12, 5, 1],
    [8, 1, 3],
  ] as const)
    test(`a layer of ${heads} heads of ${size}, batch ${batch}, ${threads} threads`, async () => {
      const kernels = await speaks({ size, heads }, batch, { intraOpNumThreads: threads });
      assert.not(kernels.includes('packMatMulB'), 'weights are packed once');
      assert.ok(kernels.includes('halfProduct'));
      assert.is(kernels.includes('cachedAttention'), size % 8 === 0, 'caches are read as they are');
    });

interface Sum {
  readonly level: NonNullable<SessionOptions['graphOptimizationLevel']>;
  readonly of: (b: ModelBuilder, sum: Value) => Value;
}

/** What a model makes of 2048 + 1, between two halves, and of 60000 + 60000, beyond the largest. */
async function sums({ level, of }: Sum): Promise<number[]> {
  const b = modelBuilder({ opset: 20 });
  const [x, y] = ['x', 'y'].map((name) => b.input(name, 'float16', [2])) as [Value, Value];
  b.output('z', of(b, b.op('Add', [x, y])));
  const session = await open(b.toBytes(), { graphOptimizationLevel: level });
  const { z } = await session.run({ x: tensor('float16', [2], [2048, 60000]), y: tensor('float16', [2], [1, 60000]) });
  await session.release();
  const { type, data } = asTensorValue(z);
  return Array.from(data as Uint16Array, (bits) => (type === 'float16' ? fromFloat16(bits) : Number(bits)));
}

const lessLarge = (b: ModelBuilder, sum: Value) =>
  b.op('Sub', [sum, b.constant('large', tensor('float16', [2], [2048, 60000]))]);

test('what lies between nodes is rounded below level layout', async () => {
  for (const level of ['disabled', 'basic', 'extended'] as const)
    assert.equal(await sums({ level, of: lessLarge }), [0, Number.POSITIVE_INFINITY], level);
  for (const level of ['layout', 'all'] as const) assert.equal(await sums({ level, of: lessLarge }), [1, 60000], level);
});

test('what jumps is given halves', async () => {
  const isInfinite = (b: ModelBuilder, sum: Value) => b.op('IsInf', [sum]);
  const isOdd = (b: ModelBuilder, sum: Value) =>
    b.op('Mod', [sum, b.constant('two', tensor('float16', [2], [2, 2]))], { fmod: 1 });
  for (const level of ['disabled', 'all'] as const) {
    assert.equal(await sums({ level, of: isInfinite }), [0, 1]);
    assert.is((await sums({ level, of: isOdd }))[0], 0);
  }
});

test('a rounding that the model asks for stays', async () => {
  const rounded = (b: ModelBuilder, sum: Value) => {
    const wide = b.op('Add', [b.op('Cast', [sum], { to: FLOAT }), b.constant('none', tensor('float32', [2], [0, 0]))]);
    return lessLarge(b, b.op('Cast', [wide], { to: HALF }));
  };
  assert.equal(await sums({ level: 'all', of: rounded }), [0, Number.POSITIVE_INFINITY]);
});

test.run();
