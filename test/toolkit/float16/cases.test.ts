import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../../src/builder/index.js';
import { LeftBytes } from '../../../src/model/document/left-bytes.js';
import { toNumber } from '../../../src/model/int64.js';
import type { Feeds } from '../../../src/session/feeds.js';
import { elementTypeOf } from '../../../src/tensor/element-types.js';
import { numbersOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import {
  type Float16Options,
  loadModel,
  type Model,
  parseModel,
  saveModel,
  toExternalData,
  toFloat16,
} from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { f32, i64 } from '../../values.js';
import { errorOf, halved, nodesOf, results } from './halved.js';

const test = suite('half precision, case by case');

const text = (graph: string, opset = 21, ir = 10): Model =>
  parseModel(`<ir_version: ${ir}, opset_import: ["": ${opset}, "com.microsoft": 1]> ${graph}`);

const half = (model: Model, options?: Float16Options) => halved(model, options);

const typesOf = ({ proto }: Model, field: 'input' | 'output') =>
  proto.graph?.[field].map(({ type }) => elementTypeOf(type?.tensorType?.elemType ?? 0));

const weightTypes = ({ proto }: Model) =>
  Object.fromEntries(proto.graph?.initializer.map(({ name, dataType }) => [name, elementTypeOf(dataType)]) ?? []);

/** The model as it was and as it became, on the same inputs. */
async function expectSame(model: Model, feeds: Feeds, most = 2e-3, options: Float16Options = {}) {
  const found = await half(model, { keepIO: true, ...options });
  const [actual, expected] = [await results(found.bytes, feeds), await results(await saveModel(model), feeds)];
  for (const [name, value] of Object.entries(expected)) {
    const error = errorOf(actual[name], value);
    assert.ok(error <= most, `${name} is ${error} off`);
  }
  return found;
}

const X = f32(
  [1, 2, 4, 4],
  Array.from({ length: 32 }, (_, i) => Math.sin(i)),
);

test('inputs and outputs are of the new type, or stay, with one Cast each, in order', async () => {
  const model = text(`g (float[4] x, int64 i) => (float[4] y) {
    a = Relu(x)  b = Neg(x)  y = Add(a, b) }`);
  const free = await half(model);
  assert.equal([typesOf(free.model, 'input'), typesOf(free.model, 'output')], [['float16', 'int64'], ['float16']]);
  assert.equal(nodesOf(free.model), ['Relu', 'Neg', 'Add']);
  const kept = await half(model, { keepIO: true });
  assert.equal([typesOf(kept.model, 'input'), typesOf(kept.model, 'output')], [['float32', 'int64'], ['float32']]);
  assert.equal(nodesOf(kept.model), ['Cast', 'Relu', 'Neg', 'Add', 'Cast']);
  const brain = await half(model, { to: 'bfloat16' });
  assert.equal(typesOf(brain.model, 'output'), ['bfloat16']);
});

test('onnxconverter-common 208: with inputs kept the order holds, and Resize takes halves but for its scales', async () => {
  const model = text(`g (float[1, 2, 4, 4] x) => (float[1, 2, 7, 7] y)
    <float[4] scales = {1, 1, 1.75, 1.75}, float[8] roi = {0, 0, 0.1, 0.1, 1, 1, 0.9, 0.9}> {
    a = Relu(x)  y = Resize <mode = "linear", coordinate_transformation_mode = "tf_crop_and_resize"> (a, roi, scales) }`);
  const { model: found, report } = await expectSame(model, { x: X });
  assert.equal(report.kept, []);
  assert.equal(weightTypes(found), { scales: 'float32', roi: 'float16' });
  assert.equal(nodesOf(found), ['Cast', 'Relu', 'Resize', 'Cast']);
});

test('onnxconverter-common 320 and 328: Cast, CastLike and all that says a type says the new one', async () => {
  const model = text(`g (int64[4] i, float[4] x) => (float[4] y, float[N] n, float[2] e) <int64[1] two = {2}> {
    a = Cast <to = 1> (i)  b = CastLike(i, x)  c = Constant <value_float = 0.5> ()  d = Constant <value_floats = [1.0, 2.0, 3.0, 4.0]> ()
    four = Constant <value_int = 4> ()  o = ConstantOfShape(two)  p = ConstantOfShape <value: tensor = float[1] {0.25}> (two)
    ab = Add(a, b)  abc = Mul(ab, c)  y0 = Add(abc, d)  y = Add(y0, x)
    e = Add(o, p)  w = HannWindow(four)  n = Identity(w) }`);
  const { model: found, report } = await half(model);
  assert.equal(report.kept, []);
  assert.not.ok(nodesOf(found).filter((op) => op === 'Cast').length > 1, 'Casts beside the model’s own');
  assert.equal(typesOf(found, 'output'), ['float16', 'float16', 'float16']);
});

test('random numbers are of the new type, with or without one said', async () => {
  const model = text(`g (float[2] x) => (float[2] a, float[2] b, float[2] c, float[2] d) {
    a = RandomNormal <shape = [2]> ()  b = RandomUniform <shape = [2], dtype = 1> ()
    c = RandomNormalLike(x)  d = Bernoulli <dtype = 1> (x) }`);
  const { model: found } = await half(model);
  assert.equal(nodesOf(found), ['RandomNormal', 'RandomUniform', 'RandomNormalLike', 'Bernoulli']);
  assert.equal(typesOf(found, 'output'), ['float16', 'float16', 'float16', 'float16']);
});

test('onnxconverter-common 323: the mean of a picture is small, its sum is not', async () => {
  const model = text(
    `g (float[1, 3, 512, 512] x) => (float[1, 3, 1, 1] y) {
    a = Relu(x)  y = ReduceMean <axes = [2, 3]> (a) }`,
    13,
  );
  const x = f32([1, 3, 512, 512], new Float32Array(3 * 512 * 512).fill(0.5));
  assert.equal((await half(model)).report.kept, []);
  const { report } = await expectSame(model, { x }, 1e-3, { feeds: [{ x }] });
  assert.equal(
    report.kept.map(({ operator, reason }) => [operator, reason]),
    [['ReduceMean', 'sums reach 1.31e+5']],
  );
});

test('nodes whose numbers are too large stay in float32; those beyond are halves', async () => {
  const model = text(`g (float[4] x) => (float[4] y) <float k = {3000.0}, float tiny = {0.0001}> {
    a = Relu(x)  b = Mul(a, k)  c = Sqrt(b)  y = Mul(c, tiny) }`);
  const x = f32([4], [1, 10, 100, 1000]);
  const plain = await results((await half(model, { keepIO: true })).bytes, { x });
  assert.not.ok(Array.from(numbersOf(plain.y as TensorValue)).every(Number.isFinite));
  const { report } = await expectSame(model, { x }, 2e-3, { feeds: [{ x }] });
  assert.equal(
    report.kept.map(({ operator }) => operator),
    ['Mul', 'Sqrt'],
  );
  assert.match(report.kept[0]?.reason ?? '', /3\.00e\+6/);
});

test('numbers in branches and loops are seen, too', async () => {
  const model =
    text(`g (float[4] x, bool c, int64 n) => (float[4] y, float[4] z) <float k = {3000.0}, float tiny = {0.0001}> {
    y = If (c) <then_branch = t () => (float[4] p) { [big] u = Mul(x, k)  [small] p = Mul(u, tiny) },
                else_branch = e () => (float[4] q) { [quiet] q = Neg(x) }>
    z = Loop (n, c, x) <body = l (int64 i, bool on, float[4] s) => (bool go, float[4] out) { go = Identity(on)  [grows] out = Mul(s, k) }>
  }`);
  const x = f32([4], [1, 10, 100, 30]);
  const feeds = { x, c: { type: 'bool', dims: [], data: Uint8Array.of(1) } as TensorValue, n: i64([], [2n]) };
  const { report } = await expectSame(model, feeds, 2e-3, { feeds: [feeds] });
  assert.equal(
    report.kept.map(({ node, operator }) => node || operator),
    ['big', 'small', 'grows', 'Loop'],
  );
  const none = await expectSame(model, { ...feeds, n: i64([], [0n]) }, 2e-3, {
    feeds: [{ ...feeds, n: i64([], [0n]) }],
  });
  assert.equal(
    none.report.kept.map(({ node }) => node),
    ['big', 'small'],
  );
});

test('masks of the least float32 are halves: they stand for infinity', async () => {
  const model =
    text(`g (float[4] x, bool[4] m) => (float[4] y) <float least = {-3.4028234663852886e38}, float zero = {0.0}> {
    bias = Where(m, zero, least)  z = Add(x, bias)  y = Softmax(z) }`);
  const feeds = {
    x: f32([4], [1, 2, 3, 4]),
    m: { type: 'bool', dims: [4], data: Uint8Array.of(1, 1, 0, 1) } as TensorValue,
  };
  const { report } = await expectSame(model, feeds, 2e-3, { feeds: [feeds] });
  assert.equal(report.kept, []);
  assert.equal(report.clamped, [{ weight: 'least', above: 1, below: 0 }]);
});

test('what an operator of the opset cannot be stays; of a later opset it is converted', async () => {
  const graph = `g (float[4] x, int64 axis) => (float[4] y) { a = Relu(x)  b = CumSum(a, axis)  y = Neg(b) }`;
  const feeds = { x: f32([4], [1, 2, 3, 4]), axis: i64([], [0n]) };
  const old = await expectSame(text(graph, 11, 7), feeds);
  assert.equal(
    old.report.kept.map(({ operator, reason }) => [operator, reason]),
    [['CumSum', 'the operator does not support float16 (opset 11)']],
  );
  assert.equal(nodesOf(old.model), ['Cast', 'Relu', 'Cast', 'CumSum', 'Cast', 'Neg', 'Cast']);
  assert.equal((await expectSame(text(graph, 14, 7), feeds)).report.kept, []);
});

test('numbers that say how large something becomes stay exact', async () => {
  const model =
    text(`g (float[1, 1, 3, 1001] x) => (float[A, B, C, D] y) <float[1] k = {3.0}, int64[1] w = {3}, float[1] one = {1.0}> {
    s = Shape(x)  i = Gather(s, w)  f = Cast <to = 1> (i)  g = Mul(f, k)  h = Add(g, one)  n = Cast <to = 7> (h)
    lead = Constant <value_ints = [1, 1, 3]> ()  sizes = Concat <axis = 0> (lead, n)  y = Resize(x, , , sizes) }`);
  const x = f32(
    [1, 1, 3, 1001],
    new Float32Array(3003).map((_, i) => Math.cos(i)),
  );
  const { bytes } = await expectSame(model, { x });
  assert.equal(((await results(bytes, { x })).y as TensorValue).dims, [1, 1, 3, 3004]);
});

test('graphs inside, and what they capture', async () => {
  const model = text(`g (float[4] x, bool c, int64 n) => (float[4] y, float[4] z) <float[4] w = {1, 2, 3, 4}> {
    a = Mul(x, w)
    y = If (c) <then_branch = t () => (float[4] p) { p = Add(a, w) }, else_branch = e () => (float[4] q) <float k = {2.0}> { q = Mul(a, k) }>
    z = Loop (n, c, a) <body = l (int64 i, bool on, float[4] s) => (bool go, float[4] out) { go = Identity(on)  v = Cast <to = 1> (i)  t = Add(s, v)  out = Mul(t, w) }>
  }`);
  for (const c of [0, 1]) {
    const feeds = {
      x: f32([4], [1, -2, 3, 0.5]),
      c: { type: 'bool', dims: [], data: Uint8Array.of(c) } as TensorValue,
      n: i64([], [3n]),
    };
    const { model: found, report } = await expectSame(model, feeds);
    assert.equal(report.kept, []);
    assert.equal(nodesOf(found), ['Cast', 'Mul', 'If', 'Cast', 'Loop', 'Cast']);
    assert.equal(weightTypes(found), { w: 'float16' });
  }
});

test('a graph inside whose node is excluded has its own Casts', async () => {
  const model = text(`g (float[4] x, bool c) => (float[4] y) <float[4] w = {1, 2, 3, 4}> {
    a = Mul(x, w)
    [branch] y = If (c) <then_branch = t () => (float[4] p) { p = Add(a, w) }, else_branch = e () => (float[4] q) { q = Erf(a) }>
  }`);
  const feeds = { x: f32([4], [1, -2, 3, 0.5]), c: { type: 'bool', dims: [], data: Uint8Array.of(1) } as TensorValue };
  const { report, model: found } = await expectSame(model, feeds, 2e-3, { exclude: ['branch', 'Erf'] });
  assert.equal(report.kept.map(({ operator }) => operator).sort(), ['Erf', 'If']);
  assert.equal(nodesOf(found).filter((op) => op === 'If').length, 1);
});

test('sequences and optionals are of halves, or all of them stay', async () => {
  const model = text(`g (float[4] x) => (float[4] y, int64 n) {
    none = SequenceEmpty()  a = Relu(x)  one = SequenceInsert(none, a)  two = SequenceInsert(one, x)
    n = SequenceLength(two)  y = ConcatFromSequence <axis = 0, new_axis = 0> (one) }`);
  const feeds = { x: f32([4], [1, -2, 3, 0.5]) };
  const { report, model: found } = await expectSame(model, feeds);
  assert.equal(report.kept, []);
  assert.equal(nodesOf(found)[1], 'SequenceEmpty');
  const excluded = await expectSame(model, feeds, 2e-3, { exclude: ['SequenceEmpty'] });
  assert.equal(
    excluded.report.kept.map(({ operator }) => operator),
    ['SequenceEmpty', 'SequenceInsert', 'SequenceInsert', 'ConcatFromSequence', 'SequenceLength'],
  );
});

test("a model's functions are put in place of their calls", async () => {
  const model = parseModel(`<ir_version: 10, opset_import: ["": 21, "own": 1]>
    g (float[4] x) => (float[4] y) { a = own.twice(x)  y = own.twice(a) }
    <domain: "own", opset_import: ["": 21]> twice (x) => (y) { k = Constant <value_float = 2.0> ()  y = Mul(x, k) }`);
  const { model: found, report } = await expectSame(model, { x: f32([4], [1, 2, 3, 4]) });
  assert.equal(report.kept, []);
  assert.equal(found.proto.functions, []);
});

test("onnxruntime's operators, by what they declare", async () => {
  const model =
    text(`g (float[1, 2, 4] x, float[1, 2, 4] s) => (float[1, 2, 4] y, float[1, 2, 1] m) <float[4] g = {1, 2, 3, 4}> {
    a, mean, inv, sum = com.microsoft.SkipLayerNormalization(x, s, g)  y = com.microsoft.FastGelu(a)  m = Identity(mean) }`);
  const { report } = await half(model);
  assert.equal(
    report.kept.map(({ operator }) => operator),
    [],
  );
});

test('operators that nobody knows stay between Casts', async () => {
  const model = parseModel(`<ir_version: 10, opset_import: ["": 21, "mine": 1]> g (float[4] x) => (float[4] y)
    <float[4] u, float[4] v> { u = Relu(x)  v = mine.Odd(u)  y = Neg(v) }`);
  const { report, model: found } = await toFloat16(model);
  assert.equal(
    report.kept.map(({ operator, reason }) => [operator, reason]),
    [['Odd', 'unknown operator']],
  );
  assert.equal(nodesOf(found), ['Relu', 'Cast', 'Odd', 'Cast', 'Neg']);
});

test('Casts that would change nothing are gone, but those that make outputs', async () => {
  const model = text(`g (float[4] x) => (float[4] y, float16[4] z) {
    a = Relu(x)  b = Cast <to = 10> (a)  c = Neg(b)  d = Cast <to = 1> (c)  y = Abs(d)  z = Cast <to = 10> (d) }`);
  const { model: found } = await half(model);
  assert.equal(nodesOf(found), ['Relu', 'Neg', 'Abs', 'Cast']);
});

test('halves that were there, read as float32 by some', async () => {
  const model = text(`g (float[4] x) => (float[4] y) <float16[4] w = {1, 2, 3, 4}> {
    v = Cast <to = 1> (w)  k = Constant <value = float16[4] {4, 3, 2, 1}> ()  l = Cast <to = 1> (k)
    a = Mul(x, v)  b = Mul(a, l)  [left] c = Add(b, v)  [stays] y = Add(c, l) }`);
  const { model: found } = await expectSame(model, { x: f32([4], [1, 2, 3, 4]) }, 2e-3, { exclude: ['left', 'stays'] });
  assert.equal(weightTypes(found), { w: 'float16' });
});

test('by names, patterns and operators', async () => {
  const model = text(`g (float[4] x) => (float[4] y) { [first] a = Relu(x)  [second] b = Neg(a)  [third] y = Exp(b) }`);
  const left = async (options: Float16Options) => (await half(model, options)).report.kept.map(({ node }) => node);
  assert.equal(await left({ exclude: ['Exp', 'fir*'] }), ['first', 'third']);
  assert.equal(await left({ include: [/^(first|b)$/] }), ['third']);
});

test('weights for both are there twice, and each is read once', async () => {
  const model = text(
    `g (float[4] x) => (float[4] y) <float[4] w = {1.0, 0.1, 1e-10, 1e6}> { a = Mul(x, w)  [left] y = Add(a, w) }`,
  );
  const { model: found, report } = await half(model, { exclude: ['left'] });
  assert.equal(weightTypes(found), { w: 'float16', w_float32: 'float32' });
  assert.equal(report.clamped, [{ weight: 'w', above: 1, below: 1 }]);
});

test('before IR 4, weights are inputs too', async () => {
  const model = text(
    `g (float[4] x, float[4] w) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { a = Mul(x, w)  [left] y = Add(a, w) }`,
    8,
    3,
  );
  const { model: found } = await half(model, { keepIO: true, exclude: ['left'] });
  assert.equal(
    found.proto.graph?.input.map(({ name }) => name),
    ['x', 'w', 'w_float32'],
  );
});

test('defaults of inputs become what the inputs are', async () => {
  const model = text(`g (float[4] x, float[4] w = {1, 2, 3, 4}) => (float[4] y) { y = Mul(x, w) }`);
  assert.equal(weightTypes((await half(model)).model), { w: 'float16' });
  assert.equal(weightTypes((await half(model, { keepIO: true })).model), { w: 'float32' });
});

test('empty tensors and scalars', async () => {
  const model = text(`g (float[0, 3] x, float s) => (float[0, 3] y, float r) <float[0] none = {}, float k = {2.0}> {
    a = Mul(x, k)  y = Relu(a)  t = Add(s, k)  r = Neg(t)  u = Abs(none) }`);
  const feeds = { x: f32([0, 3], []), s: f32([], [1.5]) };
  const { report } = await expectSame(model, feeds, 0, { feeds: [feeds] });
  assert.equal(report.kept, []);
});

test('float64 stays, unless it is asked for', async () => {
  const model = text(`g (double[2] x) => (double[2] y) <double[2] w = {0.1, 3.0}> { y = Mul(x, w) }`);
  const { model: same } = await toFloat16(model);
  assert.is(same.proto, model.proto);
  const { model: found } = await half(model, { doubles: true });
  assert.equal([weightTypes(found), typesOf(found, 'output')], [{ w: 'float16' }, ['float16']]);
});

test('nothing of it changes the model that was given', async () => {
  const model = text(`g (float[2] x) => (float[2] y) <float[2] w = {0.1, 3.0}> { y = Mul(x, w) }`);
  const before = await saveModel(model);
  await half(model);
  assert.equal(await saveModel(model), before);
});

const folder = mkdtempSync(join(tmpdir(), 'halves-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('weights in files are converted as they are read, a piece at a time', async () => {
  const count = 300_001;
  const b = modelBuilder({ opset: 21 });
  const weights = Float32Array.from({ length: count }, (_, i) => Math.sin(i) * 3);
  const y = b.op('Mul', [b.input('x', 'float32', [1]), b.constant('w', f32([count], weights))]);
  b.output('y', y);
  const model = await loadModel(b.toBytes());
  for (const external of [false, true]) {
    const path = join(folder, `${external}.onnx`);
    await saveModel(external ? await toExternalData(model, { location: 'w.data', threshold: 0 }) : model, path);
    const { model: found } = await toFloat16(await loadModel(path));
    const [weight] = found.proto.graph?.initializer ?? [];
    assert.ok(weight?.rawData instanceof LeftBytes);
    assert.is(toNumber(weight.dims[0] ?? 0), count);
    const odd = await (weight.rawData as LeftBytes).range(3, 10);
    const whole = await (weight.rawData as LeftBytes).range(0, 2 * count);
    assert.equal([...odd], [...whole.subarray(3, 10)]);
    const target = join(folder, 'half.onnx');
    await saveModel(found, target);
    const plain = await toFloat16(model);
    assert.equal((await loadModel(target)).proto.graph?.initializer[0]?.dataType, 10);
    assert.equal(Buffer.from(whole).equals(plain.model.proto.graph?.initializer[0]?.rawData as Uint8Array), true);
  }
});

test('over the file that it was loaded from', async () => {
  const path = join(folder, 'own.onnx');
  const model = text(`g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Mul(x, w) }`);
  writeFileSync(path, await saveModel(model));
  await saveModel((await toFloat16(await loadModel(path))).model, path);
  assert.equal(weightTypes(await loadModel(path)), { w: 'float16' });
});

test("a model of onnxruntime's operators alone imports Cast", async () => {
  const model = parseModel(`<ir_version: 10, opset_import: ["com.microsoft": 1]>
    g (float[4] x) => (float[4] y) { a = com.microsoft.FastGelu(x)  y = com.microsoft.Gelu(a) }`);
  const { model: found } = await expectSame(model, { x: f32([4], [1, 2, 3, 4]) });
  assert.equal(nodesOf(found), ['Cast', 'FastGelu', 'Gelu', 'Cast']);
});

test('refuses options out of their range, and samples that are none', async () => {
  const model = text(`g (float[2] x) => (float[2] y) { y = Relu(x) }`);
  await expectRejection('INVALID_ARGUMENT', /float16, bfloat16/, toFloat16(model, { to: 'float8' as never }));
  await expectRejection('INVALID_ARGUMENT', /numbers from 0 to 65504/, toFloat16(model, { maxFinite: 1e6 }));
  await expectRejection('INVALID_ARGUMENT', /numbers from 0/, toFloat16(model, { minPositive: Number.NaN }));
  await expectRejection('INVALID_ARGUMENT', /no samples/, toFloat16(model, { feeds: [] }));
  const weighty = text(`g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { y = Mul(x, w) }`);
  await expectRejection(
    'INVALID_ARGUMENT',
    /Cast needs opset 6, but the model has opset 5/,
    toFloat16(text('g (float[2] x) => (float[2] y) { y = Tanh(x) }', 5, 4)),
  );
  await expectRejection('ABORTED', /./, toFloat16(weighty, { signal: AbortSignal.abort() }));
});

test.run();
