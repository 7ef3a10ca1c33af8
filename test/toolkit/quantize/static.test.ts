import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TensorProto } from '../../../build/onnx.js';
import { float, int, ints, modelBuilder, tensor } from '../../../src/builder/index.js';
import { samplesIn } from '../../../src/cli/samples.js';
import { readTensor } from '../../../src/model/tensors.js';
import type { Feeds } from '../../../src/session/feeds.js';
import { fromFloat16 } from '../../../src/tensor/half.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  calibrate,
  fromExternalData,
  loadModel,
  type Model,
  parseModel,
  type QuantizeStaticOptions,
  quantizeStatic,
  type Ranges,
  saveModel,
  toExternalData,
} from '../../../src/tools/index.js';
import { parametersOf } from '../../../src/tools/quantize/static/parameters.js';
import { quantizedValues } from '../../../src/tools/quantize/static/quantized-values.js';
import { open } from '../../session/run-model.js';
import { shared, sharedModels } from '../../shared-data.js';
import { skipped } from '../../skipped.js';
import { isAtLeast, sampled } from '../../tier.js';
import {
  checked,
  distance,
  evenly,
  hasExactNative,
  hasNative,
  loaded,
  run,
  runNatively,
  SATURATES,
  type Values,
} from './runs.js';

const test = sampled(suite('activations and weights as integers'), { quick: 1 / 4 });

/** Convolution, products, a residual sum, pooling and a head, as small as they come. */
function network(opset = 17): Uint8Array {
  const b = modelBuilder({ opset });
  const weight = (name: string, dims: readonly number[], seed: number) => b.constant(name, floats(dims, seed));
  const x = b.input('x', 'float32', [1, 3, 8, 8]);
  const maps = b.op(
    'Conv',
    [x, weight('k', [6, 3, 3, 3], 1), weight('kb', [6], 2)],
    { pads: ints([1, 1, 1, 1]) },
    { name: 'c' },
  );
  const kept = b.op('Relu', [maps], {}, { name: 'r' });
  const more = b.op('Conv', [kept, weight('k2', [6, 6, 1, 1], 3)], {}, { name: 'c2' });
  const sum = b.op('Add', [kept, more], {}, { name: 'sum' });
  const pooled = b.op('MaxPool', [sum], { kernel_shape: ints([2, 2]), strides: ints([2, 2]) }, { name: 'p' });
  const flat = b.op('Flatten', [pooled], {}, { name: 'f' });
  const hidden = b.op(
    'Gemm',
    [flat, weight('g', [10, 96], 4), weight('gb', [10], 5)],
    { transB: int(1) },
    { name: 'g' },
  );
  const product = b.op('MatMul', [hidden, weight('m', [10, 7], 6)], {}, { name: 'm' });
  b.output('y', b.op('Softmax', [product], {}, { name: 's' }), 'float32', [1, 7]);
  return b.toBytes();
}

function floats(dims: readonly number[], seed: number): TensorValue {
  const count = dims.reduce((a, c) => a * c, 1);
  return tensor(
    'float32',
    dims,
    evenly(count, seed).map((x) => x / 3),
  );
}

const FEEDS = [1, 2, 3, 4].map((seed): Values => ({ x: floats([1, 3, 8, 8], seed) }));
const LAST = FEEDS[3] as Values;

if (hasNative && !hasExactNative) skipped(SATURATES);

/** Products of QDQ are of floats there; those of QOperator are of integers. */
const isWitnessed = ({ format }: QuantizeStaticOptions) => (format === 'QOperator' ? hasExactNative : hasNative);

const operatorsOf = ({ proto }: Model) => proto.graph?.node.map(({ opType }) => opType) ?? [];

for (const options of [
  {},
  { perChannel: true, activationType: 'int8' },
  { activationType: 'uint16', weightType: 'int16' },
  { format: 'QOperator' },
  { format: 'QOperator', perChannel: true },
  { method: 'mse', symmetricActivations: true, dedicatedPairs: true, pairsOnWeights: true },
] as const satisfies readonly QuantizeStaticOptions[])
  test(`${JSON.stringify(options)}: off by some steps of 256, here and natively`, async () => {
    const bytes = await checked(await quantizeStatic(await loaded(network()), FEEDS, options));
    const { y } = await run(bytes, LAST);
    const error = distance(y, (await run(network(), LAST)).y);
    const most = 'weightType' in options ? 0.001 : 0.03;
    assert.ok(error < most && error > most / 1000, `${error}`);
    if (!isWitnessed(options)) return;
    const apart = distance(y, (await runNatively(bytes, LAST)).y);
    // A sum that is halfway between two steps may fall to either.
    assert.ok(apart < 0.01, `${apart} from onnxruntime`);
  });

test('products are of integers when it runs', async () => {
  for (const format of ['QDQ', 'QOperator'] as const) {
    const bytes = await checked(await quantizeStatic(await loaded(network()), FEEDS, { format }));
    const session = await open(bytes);
    session.startProfiling();
    await session.run(LAST);
    const ran = session.profile.map(({ operator }) => operator);
    const products = ran.filter((operator) => /Conv|Gemm|MatMul/.test(operator));
    assert.equal(products, ['IntegerConv', 'IntegerConv', 'IntegerMatMul', 'IntegerMatMul'], `${format}: ${ran}`);
    await session.release();
  }
});

test('given ranges and found ones come to the same', async () => {
  const model = await loaded(network());
  const ranges = await calibrate(model, FEEDS);
  const [found, given] = [await quantizeStatic(model, FEEDS), await quantizeStatic(model, ranges)];
  assert.equal(await saveModel(found), await saveModel(given));
});

test('names, types and what is excluded are kept to', async () => {
  const model = await loaded(network());
  const without = await quantizeStatic(model, FEEDS, { exclude: ['c*', 'g', 'm', 's', 'sum', 'f', 'p', 'r'] });
  assert.is(without, model);
  const only = await quantizeStatic(model, FEEDS, { types: ['MatMul'] });
  assert.is(operatorsOf(only).filter((op) => op === 'QuantizeLinear').length, 2);
  assert.is(await quantizeStatic(model, FEEDS, { include: ['no such node'] }), model);
  const left = await quantizeStatic(model, FEEDS, { floatOutputs: ['Relu', 'Conv'] });
  assert.ok(operatorsOf(left).includes('Relu'));
});

const dataOf = <T>(value: TensorValue | undefined): T => value?.data as T;

const constantsOf = ({ proto }: Model) =>
  new Map(proto.graph?.initializer.map((t) => [t.name, readTensor(t as TensorProto)]));

test('overrides say type, range, scale and zero point of a value or a weight', async () => {
  const model = await loaded(network());
  const overrides = {
    m: { scale: 0.5, zeroPoint: 3 },
    k: { axis: 0, symmetric: true },
    x: { range: { lowest: -2, highest: 3.1 } },
    y: { type: 'int8', range: { lowest: 0, highest: 255 } },
  } as const;
  const constants = constantsOf(await quantizeStatic(model, FEEDS, { overrides }));
  assert.equal([...dataOf<Float32Array>(constants.get('m_scale'))], [0.5]);
  assert.equal([...dataOf<Int8Array>(constants.get('m_zero_point'))], [3]);
  assert.is(constants.get('k_scale')?.data.length, 6);
  assert.is(constants.get('x_scale')?.data[0], Math.fround(Math.fround(Math.fround(3.1) + 2) / 255));
  assert.is(constants.get('y_zero_point')?.type, 'int8');
});

test('a bias is multiplied by what its node multiplies it by', async () => {
  for (const format of ['QDQ', 'QOperator'] as const) {
    const b = modelBuilder({ opset: 17 });
    const [w, c] = [b.constant('w', floats([8, 4], 1)), b.constant('c', floats([4], 2))];
    const attributes = { alpha: float(0.5), beta: float(3) };
    b.output('y', b.op('Gemm', [b.input('x', 'float32', [2, 8]), w, c], attributes), 'float32', [2, 4]);
    const feeds = [{ x: floats([2, 8], 3) }];
    const bytes = await checked(await quantizeStatic(await loaded(b.toBytes()), feeds, { format }));
    const found = distance((await run(bytes, feeds[0] as Values)).y, (await run(b.toBytes(), feeds[0] as Values)).y);
    assert.ok(found < 0.02, `${format}: ${found}`);
    if (!hasNative) continue;
    const native = await runNatively(bytes, feeds[0] as Values);
    assert.ok(distance(native.y, (await run(b.toBytes(), feeds[0] as Values)).y) < 0.02, format);
  }
});

test('a bias that two nodes read has the scale of each', async () => {
  for (const format of ['QDQ', 'QOperator'] as const) {
    const b = modelBuilder({ opset: 17 });
    const c = b.constant('c', floats([4], 2));
    const product = (x: string, name: string, factor: number) => {
      const w = tensor(
        'float32',
        [4, 4],
        evenly(16, 5).map((v) => v * factor),
      );
      return b.op('Gemm', [b.input(x, 'float32', [1, 4]), b.constant(name, w), c]);
    };
    b.output('y', b.op('Add', [product('x', 'u', 1), product('z', 'v', 40)]), 'float32', [1, 4]);
    const feeds = [{ x: floats([1, 4], 3), z: floats([1, 4], 4) }];
    const bytes = await checked(await quantizeStatic(await loaded(b.toBytes()), feeds, { format }));
    const found = distance((await run(bytes, feeds[0] as Values)).y, (await run(b.toBytes(), feeds[0] as Values)).y);
    assert.ok(found < 0.02, `${format}: ${found}`);
  }
});

/** Decibels of signal to noise are more than 26 for each output. */
async function staysClose(body: string, options: QuantizeStaticOptions, feeds = CLIPPED): Promise<Model> {
  const model = parseModel(`<ir_version: 8, opset_import: ["" : 17]> ${body}`);
  const quantized = await quantizeStatic(model, feeds, options);
  const [before, after] = [await checked(model), await checked(quantized)];
  const [wanted, found] = [await run(before, feeds[0] as Values), await run(after, feeds[0] as Values)];
  for (const name of Object.keys(wanted))
    assert.ok(distance(found[name], wanted[name]) < 0.05, `${name} by ${options.format}: ${found[name]?.data}`);
  return quantized;
}

const CLIPPED = [{ x: tensor('float32', [1, 1, 2, 2], [-3, 1, 2, 3]) as TensorValue }];
const CONV = 'a = Conv (x, w)';
const SIGNATURE = 'g (float[1,1,2,2] x) => (float[1,c,2,2] y, float[1,1,2,2] z) <float[1,1,1,1] w = {1}>';

for (const format of ['QDQ', 'QOperator'] as const) {
  test(`${format}: a Relu goes only where nobody else sees what it bounds`, async () => {
    await staysClose(`${SIGNATURE} { ${CONV} b = Relu (a) y = Concat <axis = 1> (a, b) z = Identity (a) }`, { format });
    await staysClose(
      `g (float[1,1,2,2] x) => (float[1,1,2,2] a, float[1,1,2,2] b) <float[1,1,1,1] w = {1}> { ${CONV} b = Relu (a) }`,
      { format },
    );
    await staysClose(
      `${SIGNATURE} { ${CONV} y = Relu (a) yes = Constant <value = bool {1}> ()
        z = If (yes) <then_branch = t () => (float[1,1,2,2] p) { p = Neg (a) }, else_branch = e () => (float[1,1,2,2] q) { q = Abs (a) }> }`,
      { format },
    );
  });

  test(`${format}: a Relu behind what moves values stays where these have another range`, async () => {
    const body = `g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w = {1}> {
      ${CONV} b = Transpose <perm = [0, 1, 3, 2]> (a) y = Relu (b) }`;
    await staysClose(body, { format });
  });

  test(`${format}: a Clip that ends above 0 stays`, async () => {
    const body = `g (float[1,1,2,2] x) => (float[1,1,2,2] y)
      <float[1,1,1,1] w = {1}, float least = {1.5}, float most = {2.5}> { ${CONV} y = Clip (a, least, most) }`;
    await staysClose(body, { format });
  });

  test(`${format}: a weight that callers may replace has the range of its default`, async () => {
    const body = `g (float[1,1,2,2] x, float[1,1,1,1] w) => (float[1,1,2,2] y) <float[1,1,1,1] w = {2}> { y = Conv (x, w) }`;
    await staysClose(body, { format });
  });
}

test('values that graphs inside read stay floats for these', async () => {
  const model = parseModel(`<ir_version: 8, opset_import: ["": 17]>
    g (float[1, 4] x, bool p) => (float[1, 4] y) <float[1, 4] w = {1, -2, 3, 0.5}> {
      a = Mul (x, w)
      b = Relu (a)
      y = If (p) <
        then_branch = t () => (float[1, 4] u) { u = Abs (b) },
        else_branch = e () => (float[1, 4] v) { v = Neg (w) }
      >
    }`);
  const feeds = [true, false].map((p) => ({ x: floats([1, 4], 1), p: tensor('bool', [], [p ? 1 : 0]) }));
  for (const format of ['QDQ', 'QOperator'] as const) {
    const bytes = await checked(await quantizeStatic(model, feeds, { format }));
    for (const feed of feeds) {
      const error = distance((await run(bytes, feed)).y, (await run(await saveModel(model), feed)).y);
      assert.ok(error < 0.02, `${format}: ${error}`);
    }
  }
});

test('halves have scales of halves, in operators that take them', async () => {
  const model = parseModel(`<ir_version: 8, opset_import: ["": 17]>
    g (float16[1, 4] x) => (float16[1, 2] y) <float16[4, 2] w = {15360, 49152, 16896, 14336, 48128, 13312, 16384, 47616}> { y = MatMul (x, w) }`);
  const x = tensor('float16', [1, 4], Uint16Array.of(0x3c00, 0xb800, 0x3400, 0xbc00));
  const made = await quantizeStatic(model, [{ x }]);
  assert.ok(made.proto.graph?.node.every(({ domain, opType }) => opType === 'MatMul' || domain === 'com.microsoft'));
  assert.is(constantsOf(made).get('w_scale')?.type, 'float16');
  const { y } = await run(await checked(made), { x });
  const expected = (await run(await saveModel(model), { x })).y as TensorValue;
  for (const [i, half] of [...dataOf<Uint16Array>(y)].entries())
    assert.ok(Math.abs(fromFloat16(half) - fromFloat16(expected.data[i] as number)) < 0.06);
});

test('weights that are empty, scalars, or in files beside', async () => {
  const model = parseModel(`<ir_version: 8, opset_import: ["": 17]>
    g (float[2, 4] x) => (float[2, 4] y) <float s = {0.5}, float[0, 4] none = {}> {
      a = Mul (x, s)
      y = Concat <axis = 0> (a, none)
    }`);
  const feeds = [{ x: floats([2, 4], 1) }];
  for (const format of ['QDQ', 'QOperator'] as const) {
    const bytes = await checked(await quantizeStatic(model, feeds, { format }));
    const error = distance(
      (await run(bytes, feeds[0] as Values)).y,
      (await run(await saveModel(model), feeds[0] as Values)).y,
    );
    assert.ok(error < 0.02, `${format}: ${error}`);
  }
  const whole = await loaded(network());
  const beside = await toExternalData(whole, { threshold: 0 });
  for (const options of [{}, { weightType: 'int4', hold: 0 }, { format: 'QOperator', hold: 100 }] as const) {
    const found = await fromExternalData(await quantizeStatic(beside, FEEDS, options));
    assert.equal(
      await saveModel(found),
      await saveModel(await quantizeStatic(whole, FEEDS, { ...options, hold: 1e9 })),
    );
  }
});

test('a quantised model stays what it is', async () => {
  const once = await quantizeStatic(await loaded(network()), FEEDS, { types: ['Conv'] });
  const twice = await checked(await quantizeStatic(once, FEEDS));
  const error = distance((await run(twice, LAST)).y, (await run(network(), LAST)).y);
  assert.ok(error < 0.05, `${error}`);
});

const refusal = async (options: object, bytes = network(), ranges: Ranges | readonly Values[] = FEEDS) =>
  quantizeStatic(await loaded(bytes), ranges, options).then(
    () => 'nothing',
    ({ code, message }) => `${code} ${message}`,
  );

test('what cannot be is refused, and says what would be right', async () => {
  assert.match(await refusal({}, network(9)), /needs opset 10, but the model has opset 9; convert the model first/);
  assert.match(
    await refusal({ perChannel: true }, network(12)),
    /per-channel quantization needs opset 13, but the model has opset 12/,
  );
  assert.match(
    await refusal({ format: 'QOperator', weightType: 'int16' }),
    /supports 8-bit types only; use the format QDQ/,
  );
  assert.match(
    await refusal({ activationType: 'int8', weightType: 'uint8' }),
    /int8 cannot be combined with weights of uint8/,
  );
  assert.match(await refusal({ weightType: 'int7' }), /weightType: expected int8, uint8/);
  assert.match(await refusal({ overrides: { x: { scale: 1 } } }), /overrides: "x" must have both/);
  assert.match(await refusal({}, network(), { method: 'minmax', values: {} }), /no range.*calibrate again.*x/);
  assert.match(await refusal({ overrides: { x: { range: { lowest: 2, highest: 1 } } } }), /invalid range from 2 to 1/);
  assert.match(await refusal({ signal: AbortSignal.abort() }), /ABORTED/);
});

test('operators that move, pad, choose and pool, here and natively', async () => {
  const model = parseModel(`<ir_version: 8, opset_import: ["": 17]>
    g (float[1, 4, 6, 6] x, bool[1, 1, 10, 10] p) => (float[1, 4, 5, 5] y, int64[1, 1, 10, 10] i, float[1, 2, 5, 5] z)
      <int64[8] pads = {0, 0, 1, 1, 0, 0, 3, 3}, float v = {0.25}, float[1] c = {0.5}, int64[2] parts = {2, 2}> {
      a = LeakyRelu <alpha = 0.2> (x)
      b = Pad (a, pads)
      d = Pad <mode = "reflect"> (a, pads)
      e = Pad (a, pads, v)
      f = Where (p, b, d)
      h = Where (p, c, f)
      i = ArgMax <axis = 1> (h)
      s = Sigmoid (h)
      k = Add (s, e)
      y = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (k)
      z, w = Split <axis = 1> (y, parts)
    }`);
  const p = tensor(
    'bool',
    [1, 1, 10, 10],
    Uint8Array.from({ length: 100 }, (_, i) => Number(i % 3 === 0)),
  );
  const feeds: Values[] = [{ x: floats([1, 4, 6, 6], 1), p }];
  const float = await saveModel(model);
  for (const format of ['QDQ', 'QOperator'] as const) {
    const made = await quantizeStatic(model, feeds, { format, force: true });
    if (format === 'QOperator') assert.ok(operatorsOf(made).includes('QLinearWhere'));
    const bytes = await checked(made);
    const [expected, found] = [await run(float, feeds[0] as Values), await run(bytes, feeds[0] as Values)];
    const native = hasNative ? await runNatively(bytes, feeds[0] as Values) : found;
    for (const name of ['y', 'z']) {
      assert.ok(distance(found[name], expected[name]) < 0.02, `${format} ${name}`);
      assert.ok(distance(native[name], found[name]) < 0.005, `${format} ${name} from onnxruntime`);
    }
    assert.equal(found.i?.data, native.i?.data);
  }
});

const models = shared('models');
/** Before tier all, large networks go into one format alone. */
const formatsOf = (name: string) =>
  isAtLeast('all') || ['digits_cnn_trained', 'unet_small'].includes(name)
    ? (['QDQ', 'QOperator'] as const)
    : (['QDQ'] as const);

for (const name of sharedModels('digits_cnn_trained', 'unet_small', 'bert_mini', 'squeezenet1_1'))
  for (const format of formatsOf(name)) {
    const folder = join(models, name);
    test(`${name}, ${format}: near what it was, here and natively, in 40 % of the bytes`, async () => {
      const model = await loadModel(join(folder, 'model.onnx'));
      const feeds: Feeds[] = [];
      for await (const feed of samplesIn(folder, model)) feeds.push(feed);
      const bytes = await checked(await quantizeStatic(model, feeds, { format }));
      const float = await saveModel(model);
      assert.ok(bytes.length < 0.4 * float.length, `${bytes.length / float.length}`);
      const [expected, found] = [await run(float, feeds[0] as Values), await run(bytes, feeds[0] as Values)];
      const native = isWitnessed({ format }) ? await runNatively(bytes, feeds[0] as Values) : found;
      for (const [output, value] of Object.entries(expected)) {
        const error = distance(found[output], value);
        assert.ok(error < 0.06, `${output}: ${error}`);
        const apart = distance(native[output], found[output]);
        assert.ok(apart < 0.01, `${output}: ${apart} from onnxruntime`);
      }
    });
  }

test('what is quantised is told: weights, biases, activations', async () => {
  const { proto } = await quantizeStatic(await loaded(network()), FEEDS, { perChannel: true });
  const { weights, biases, activations } = quantizedValues(proto);
  assert.equal(
    weights.map(({ codes, axis }) => [codes.name, axis]),
    [
      ['k_quantized', 0],
      ['k2_quantized', 0],
      ['g_quantized', 0],
      ['m_quantized', 1],
    ],
  );
  assert.equal(
    biases.map(({ codes, readers }) => [codes.name, readers[0]?.opType]),
    [
      ['kb_quantized', 'Conv'],
      ['gb_quantized', 'Gemm'],
    ],
  );
  assert.is(activations.length, proto.graph?.node.filter(({ opType }) => opType === 'QuantizeLinear').length);
  assert.ok(activations.some(({ input }) => input === 'x'));
});

test('narrow ranges of float16 have steps that the range takes all of', () => {
  for (const width of [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.0155, 0.0157]) {
    for (const symmetric of [false, true]) {
      const { scale, zeroPoint } = parametersOf(
        { lowest: -width / 3, highest: width },
        { type: 'uint8', symmetric, float: 'float16' },
      );
      const reach = (255 - zeroPoint) * scale;
      const step = 2 ** -24;
      assert.ok(reach >= width - scale && reach <= width * 1.01 + 256 * step, `${width}: up to ${reach}`);
    }
  }
  const nothing = parametersOf({ lowest: 0, highest: 0 }, { type: 'uint8', symmetric: false, float: 'float16' });
  assert.equal(nothing, { type: 'uint8', scale: 1, zeroPoint: 0 });
});

test.run();
