import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  adaRound,
  correctBias,
  edit,
  type Model,
  quantizationError,
  quantizeDynamic,
  quantizeStatic,
} from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { skipped } from '../../skipped.js';
import { checked, distance, evenly, hasNative, loaded, run, runNatively } from '../quantize/runs.js';

const test = suite('what rounding does, and what makes it good');

interface Shape {
  readonly bias?: boolean;
  readonly opset?: number;
}

/** A convolution of groups, Relu, another, a mean and a product. */
function networkOf({ bias = true, opset = 17 }: Shape = {}): Uint8Array {
  const b = modelBuilder({ opset });
  const constant = (name: string, dims: number[], seed: number) =>
    b.constant(
      name,
      tensor(
        'float32',
        dims,
        evenly(
          dims.reduce((a, c) => a * c, 1),
          seed,
        ),
      ),
    );
  const x = b.input('x', 'float32', ['n', 4, 6, 6]);
  const first = [constant('w1', [8, 2, 3, 3], 1), ...(bias ? [constant('b1', [8], 2)] : [])];
  const hidden = b.op('Relu', [b.op('Conv', [x, ...first], { group: 2, pads: [1, 1, 1, 1] }, { name: 'first' })]);
  const second = [constant('w2', [6, 8, 1, 1], 3), ...(bias ? [constant('b2', [6], 4)] : [])];
  const conv = b.op('Conv', [hidden, ...second], { strides: [2, 2] }, { name: 'second' });
  const flat = b.op('Flatten', [b.op('GlobalAveragePool', [conv])]);
  const third = [constant('w3', [6, 5], 5), ...(bias ? [constant('b3', [5], 6)] : [])];
  b.output('y', b.op('Gemm', [flat, ...third], {}, { name: 'third' }), 'float32', ['n', 5]);
  return b.toBytes();
}

const feedsOf = (seeds: readonly number[]) =>
  seeds.map((seed) => ({ x: tensor('float32', [3, 4, 6, 6], evenly(3 * 4 * 36, seed)) }));

const floats = (x: TensorValue | undefined) => x?.data as Float32Array;

const feeds = feedsOf([11, 12, 13, 14]);

/** How far outputs are off on average, over all samples. */
async function biasOf(exact: Uint8Array, found: Uint8Array): Promise<number> {
  const sums = new Float64Array(5);
  for (const feed of feeds) {
    const [a, b] = [await run(exact, feed), await run(found, feed)];
    floats(a.y).forEach((value, i) => {
      sums[i % 5] = (sums[i % 5] as number) + value - (floats(b.y)[i] as number);
    });
  }
  return Math.hypot(...sums) / (feeds.length * 3);
}

const biasesIn = ({ proto }: Model): number =>
  proto.graph?.node.filter(({ opType, input }) => ['Conv', 'Gemm'].includes(opType) && input[2]).length ?? 0;

async function integersOf(model: Model): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  await edit(model, async (graph) => {
    for (const value of graph.constants) {
      const tensor = await value.tensor();
      if (tensor?.type === 'int32') found.set(value.name, [...(tensor.data as Int32Array)]);
    }
  });
  return found;
}

for (const bias of [true, false])
  for (const perChannel of [true, false])
    test(`biases${bias ? '' : ' that are made'}${perChannel ? ', by channel' : ''}: outputs are less off on average, and then no more`, async () => {
      const exact = networkOf({ bias });
      const model = await loaded(exact);
      const quantized = await quantizeStatic(model, feeds, { perChannel, weightType: 'uint8', reduceRange: true });
      const corrected = await correctBias(model, quantized, feeds);
      const [before, after] = [
        await biasOf(exact, await checked(quantized)),
        await biasOf(exact, await checked(corrected)),
      ];
      assert.ok(after < before * 0.6, `${before}, then ${after}`);
      assert.is(biasesIn(corrected), 3);
      const [once, twice] = [await integersOf(corrected), await integersOf(await correctBias(model, corrected, feeds))];
      for (const [name, codes] of twice)
        codes.forEach((code, i) => {
          assert.ok(Math.abs(code - (once.get(name)?.[i] as number)) <= 1, `${name}: ${code}, ${once.get(name)?.[i]}`);
        });
    });

test('biases that stay floats are corrected as such', async () => {
  const exact = networkOf();
  const model = await loaded(exact);
  const quantized = await quantizeStatic(model, feeds, { quantizeBias: false, reduceRange: true });
  const corrected = await correctBias(model, quantized, feeds);
  assert.ok((await biasOf(exact, await checked(corrected))) < (await biasOf(exact, await checked(quantized))) / 2);
});

test('rounding anew: outputs are nearer, and codes next to the weights', async () => {
  const exact = networkOf({ opset: 21 });
  const model = await loaded(exact);
  const quantized = await quantizeStatic(model, feeds, { weightType: 'int4', perChannel: true });
  const rounded = await adaRound(model, quantized, feeds);
  const [near, nearer] = [await checked(quantized), await checked(rounded)];
  let [before, after] = [0, 0];
  for (const feed of feedsOf([21, 22, 23])) {
    const { y } = await run(exact, feed);
    before += distance((await run(near, feed)).y, y);
    after += distance((await run(nearer, feed)).y, y);
  }
  assert.ok(after < before * 0.8, `${before}, then ${after}`);
  for (const { value, sqnr } of (await quantizationError(model, rounded, feeds)).weights)
    if (value.startsWith('w')) assert.ok(sqnr > 12, `${value}: ${sqnr}`);
});

if (!hasNative) skipped('onnxruntime-node is not installed in bench/');
else
  test('repaired models run in onnxruntime as here', async () => {
    const model = await loaded(networkOf({ bias: false }));
    const quantized = await quantizeStatic(model, feeds, { perChannel: true });
    const bytes = await checked(await correctBias(model, await adaRound(model, quantized, feeds), feeds));
    const [feed] = feeds as [(typeof feeds)[0]];
    assert.ok(distance((await run(bytes, feed)).y, (await runNatively(bytes, feed)).y) < 0.01);
  });

test('only what quantizeStatic made, in QDQ form, can be repaired', async () => {
  const model = await loaded(networkOf());
  const dynamic = await quantizeDynamic(model);
  await expectRejection('INVALID_ARGUMENT', /QDQ/, correctBias(model, dynamic, feeds));
  await expectRejection('INVALID_ARGUMENT', /QDQ/, adaRound(model, dynamic, feeds));
  const quantized = await quantizeStatic(model, feeds);
  await expectRejection('INVALID_ARGUMENT', /no samples/, correctBias(model, quantized, []));
  const signal = AbortSignal.abort();
  const stopped = await adaRound(model, quantized, feeds, { signal }).catch((error: Error) => error.name);
  assert.is(stopped, 'AbortError');
});

const decibels = (exact: ArrayLike<number>, found: ArrayLike<number>): number => {
  let [power, noise] = [0, 0];
  for (let i = 0; i < exact.length; i++) {
    power += (exact[i] as number) ** 2;
    noise += ((exact[i] as number) - (found[i] as number)) ** 2;
  }
  return 10 * Math.log10(power / noise);
};

test('errors are those of plain loops', async () => {
  const exact = networkOf();
  const model = await loaded(exact);
  const quantized = await quantizeStatic(model, feeds);
  const { weights, activations } = await quantizationError(model, quantized, feeds);
  const w1 = evenly(8 * 2 * 9, 1);
  const step = Math.fround(Math.max(...w1.map(Math.abs)) / 127);
  const rounded = w1.map((w) => Math.round(w / step) * step);
  const found = weights.find(({ value }) => value === 'w1');
  assert.ok(Math.abs((found?.sqnr ?? 0) - decibels(w1, rounded)) < 0.01);
  assert.is(found?.node, 'first');
  const bytes = await checked(quantized);
  const outputs = await Promise.all(
    feeds.map(async (feed) => [await run(exact, feed), await run(bytes, feed)] as const),
  );
  const all = (at: 0 | 1) => outputs.flatMap((pair) => [...floats(pair[at].y)]);
  const last = activations.find(({ value }) => value === 'y');
  assert.ok(Math.abs((last?.accumulated ?? 0) - decibels(all(0), all(1))) < 0.01);
  assert.ok((last?.alone ?? 0) > (last?.accumulated ?? 0));
  assert.is(last?.operator, 'Gemm');
});

test('a layer that alone is quantised errs alone as it does with all before it', async () => {
  const model = await loaded(networkOf());
  const quantized = await quantizeStatic(model, feeds, { include: ['third'] });
  const { activations } = await quantizationError(model, quantized, feeds);
  const last = activations.find(({ value }) => value === 'y');
  assert.ok(Math.abs((last?.alone ?? 0) - (last?.accumulated ?? 1)) < 1e-3, JSON.stringify(last));
  assert.is(activations.find(({ operator }) => operator === 'Conv')?.accumulated, Number.POSITIVE_INFINITY);
});

test('models of other forms are compared by the names of their values', async () => {
  const model = await loaded(networkOf());
  const { weights, activations } = await quantizationError(model, await quantizeDynamic(model), feeds);
  assert.equal(weights, []);
  const last = activations.find(({ value }) => value === 'y');
  assert.ok(last && last.alone === undefined && last.accumulated > 20 && last.accumulated < 80);
});

test.run();
