import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import { withFields } from '../../../src/model/document/changed.js';
import { withTensors } from '../../../src/model/document/tensors.js';
import type { Feeds } from '../../../src/session/feeds.js';
import {
  checkModel,
  loadModel,
  type Model,
  type Predicate,
  parseModel,
  type ReduceProgress,
  reduceModel,
  saveModel,
  toExternalData,
  toText,
} from '../../../src/tools/index.js';
import { fewest } from '../../../src/tools/reduce/fewest.js';
import { expectRejection } from '../../expect-error.js';
import { shared, sharedModels } from '../../shared-data.js';
import { f32 } from '../../values.js';
import { allNodes } from './networks.js';

const test = suite('reduceModel');

const model = (body: string, opset = 21) => parseModel(`<ir_version: 10, opset_import: ["" : ${opset}]>\n${body}`);
const operators = (one: Model) => allNodes(one).map(({ opType }) => opType);
const has =
  (...wanted: string[]): Predicate =>
  (one) =>
    wanted.every((operator) => operators(one).includes(operator));

async function run(one: Model, feeds: Feeds | undefined) {
  const session = await InferenceSession.create(await saveModel(one));
  try {
    return await session.run(feeds ?? {});
  } finally {
    await session.release();
  }
}

test('fewest asks no more than it says, and finds what is needed, whatever that is', async () => {
  const items = Array.from({ length: 1000 }, (_, i) => i);
  for (const needed of [[], [0], [999], [0, 999], [3, 500, 501], [10, 20, 30, 40, 50, 60], items.slice(100, 130)]) {
    let asked = 0;
    const found = await fewest(items, async (kept) => {
      asked++;
      return needed.every((item) => kept.includes(item));
    });
    assert.equal(found, needed);
    const k = needed.length;
    assert.ok(asked <= k * (Math.log2(1000) + 2) + k + 1, `${asked} for ${k}`);
  }
});

test('where answers depend on each other, what is found was found to be enough', async () => {
  const items = [...'abcdefghij'];
  // Enough is "c" alone or with nine others at least, or "g" without "h".
  const isEnough = async (kept: readonly string[]) =>
    (kept.includes('c') && (kept.length === 1 || kept.length >= 9)) || (kept.includes('g') && !kept.includes('h'));
  const found = await fewest(items, isEnough);
  assert.ok(await isEnough(found));
  assert.is(found.length, 1);
});

test('a predicate that does not hold of the whole, or throws there, is refused', async () => {
  const one = model('g (float[n] x) => (float[n] y) { y = Abs (x) }');
  await expectRejection('INVALID_ARGUMENT', /returns false for the original model/, reduceModel(one, has('Erf')));
  const broken = () => {
    throw new Error('no runtime here');
  };
  await expectRejection(
    'INVALID_ARGUMENT',
    /throws for the original model: Error: no runtime here/,
    reduceModel(one, broken),
  );
  await expectRejection('INVALID_ARGUMENT', /needs feeds/, reduceModel(one, has('Abs'), { cutValues: 'constants' }));
});

test('it can be stopped, and says how far it is', async () => {
  const lines = Array.from({ length: 50 }, (_, i) => `v${i + 1} = ${i === 20 ? 'Erf' : 'Abs'} (v${i})`).join('\n');
  const one = model(`g (float[n] v0) => (float[n] v50) {\n${lines}\n}`);
  const said: ReduceProgress[] = [];
  await reduceModel(one, has('Erf'), { onProgress: (progress) => said.push(progress) });
  assert.equal(said[0], { runs: 1, nodes: 50 });
  assert.is(said.at(-1)?.nodes, 1);
  assert.equal(
    said.map(({ runs }) => runs),
    said.map((_, i) => i + 1),
  );
  const stop = new AbortController();
  const stopped = reduceModel(one, has('Erf'), {
    signal: stop.signal,
    onProgress: ({ runs }) => runs === 3 && stop.abort(),
  });
  await expectRejection('ABORTED', /the reduction was aborted/, stopped);
});

test('values of no known rank are not cut', async () => {
  // The runtime does not know what is in "s", nor how many sizes there are.
  const one = model(`g (float[n] x, int64[r] s) => (float y) {
    a = Abs (x)
    b = Reshape (a, s)
    c = Relu (b)
    y = ReduceSum <keepdims = 0> (c)
  }`);
  const { model: left } = await reduceModel(one, has('Relu'));
  assert.equal(operators(left), ['Reshape', 'Relu', 'ReduceSum']);
  const errors = (await checkModel(left, { full: true })).filter(({ severity }) => severity === 'error');
  assert.equal(errors, []);
});

test('sequences and optionals are cut like tensors', async () => {
  const one = model(`g (float[n,2] x) => (float[m,2] y) {
    a = Abs (x)
    l = SplitToSequence <axis = 0> (a)
    e = SequenceErase (l)
    y = ConcatFromSequence <axis = 0> (e)
  }`);
  const { model: left } = await reduceModel(one, has('SequenceErase'));
  assert.equal(operators(left), ['SequenceErase']);
  assert.ok(left.proto.graph?.input[0]?.type?.sequenceType);
});

const DIVISION = `g (float[n] x) => (float[n] y) <float[1] one = {1}> {
  a = Sub (x, x)
  b = Add (a, one)
  c = Sub (b, one)
  d = Div (one, c)
  e = Tanh (d)
  y = Sqrt (e)
}`;

const isInfinite: Predicate = async (one, feeds) =>
  Object.values(await run(one, feeds)).some((value) =>
    Array.from(value.data as Float32Array).some((v) => Math.abs(v) === Infinity),
  );

test('feeds of the part are what its values were in the whole', async () => {
  const { model: left, feeds } = await reduceModel(
    model(DIVISION),
    async (one, given) => {
      const outputs = await run(one, given);
      return (
        Object.values(outputs).some(({ data }) => Math.abs((data as Float32Array)[0] as number) === Infinity) ||
        operators(one).length === 6
      );
    },
    { feeds: { x: f32([2], [3, 4]) } },
  );
  assert.equal(operators(left), ['Div']);
  assert.equal(Object.keys(feeds ?? {}), ['c']);
  assert.ok(await isInfinite(left, feeds));
});

test('or constants', async () => {
  const whole = model(DIVISION.replace('float[n] y)', 'float[n] y, float[n] d)'));
  const { model: left, feeds } = await reduceModel(whole, isInfinite, {
    feeds: { x: f32([2], [3, 4]) },
    cutValues: 'constants',
  });
  assert.equal(operators(left), ['Div']);
  assert.equal(feeds, {});
  assert.ok(await isInfinite(left, {}), 'it takes no inputs');
});

test('constants that are inputs, too, as files of old have them', async () => {
  const whole = parseModel(`<ir_version: 3, opset_import: ["" : 8]>
  g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { a = Abs (x) b = Mul (a, w) c = Add (b, w) y = Tanh (c) }`);
  for (const cutValues of ['inputs', 'constants'] as const) {
    const options = { feeds: { x: f32([2], [-1, 3]) }, cutValues };
    const { model: left, feeds } = await reduceModel(whole, has('Add'), options);
    assert.equal(operators(left), ['Add']);
    assert.equal((await run(left, feeds)).c?.data, Float32Array.of(2, 8));
    assert.equal(Object.keys(feeds ?? {}), cutValues === 'inputs' ? ['b'] : []);
  }
});

test('an input with a default, fed or not', async () => {
  const whole = model(
    'g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1, 2}> { a = Abs (x) b = Mul (a, w) y = Tanh (b) }',
  );
  for (const [w, product] of [
    [undefined, [1, 6]],
    [f32([2], [5, 5]), [5, 15]],
  ] as const) {
    const { model: left, feeds } = await reduceModel(whole, has('Mul'), {
      feeds: { x: f32([2], [-1, 3]), ...(w && { w }) },
    });
    assert.equal((await run(left, feeds)).b?.data, Float32Array.from(product));
  }
});

test('a model whose weights are not whole is reduced by what it declares', async () => {
  const good = model(
    'g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] a, float[2] b> { a = Abs (x) b = Mul (a, w) y = Tanh (b) }',
  );
  const [tensor] = good.proto.graph?.initializer ?? [];
  const bad = withTensors(good.proto, (one) => (one === tensor ? withFields(one, { floatData: [1] }) : one));
  const { model: left } = await reduceModel({ ...good, proto: bad, original: undefined }, has('Mul'));
  assert.equal(operators(left), ['Mul']);
});

test('feeds on which the whole cannot be run are refused, those that parts cannot be run on are not', async () => {
  const whole = model('g (float[n] x) => (float[m] y) <float[3] w = {1, 2, 3}> { a = Abs (x) y = Add (a, w) }');
  const refused = reduceModel(whole, has('Add'), { feeds: { x: f32([2], [1, 2]) } });
  await expectRejection(
    'INVALID_SHAPE',
    /cannot run the model on the feeds.*leave out the feeds, or fix this: Add/,
    refused,
  );
  // Sizes of what is in a body are known to nobody, and what is made up for it does not go together.
  const looped = model(`g (float[n,k] x, int64 times, bool yes) => (float[a,b] y) {
    y = Loop (times, yes, x) <body = body (int64 i, bool c, float[p,q] s) => (bool d, float[r,t] u) {
      d = Identity (c)
      e = Transpose (s)
      f = MatMul (s, e)
      u = MatMul (f, s)
    }>
  }`);
  const feeds = {
    x: f32([2, 3], [1, 2, 3, 4, 5, 6]),
    times: { type: 'int64', dims: [], data: BigInt64Array.of(2n) } as const,
    yes: { type: 'bool', dims: [], data: Uint8Array.of(1) } as const,
  };
  const { model: left } = await reduceModel(looped, has('MatMul'), { feeds });
  assert.ok(operators(left).includes('MatMul'));
  assert.ok(operators(left).length <= 3, toText(left));
});

test('graphs in graphs, and names that two of them have', async () => {
  const whole = model(`g (bool c, float[2] x) => (float[2] y) {
    t = Abs (x)
    y = If (c) <then_branch = p () => (float[2] u) {
      d = Not (c)
      u = If (d) <then_branch = q () => (float[2] v) { w = Neg (t) v = Erf (w) }, else_branch = r () => (float[2] v) { w = Cos (t) v = Sin (w) }>
    }, else_branch = s () => (float[2] v) { w = Exp (t) v = Log (w) }>
  }`);
  assert.equal(operators((await reduceModel(whole, has('Erf', 'Sin'))).model).sort(), ['Erf', 'Sin']);
  const nested: Predicate = ({ proto: { graph } }) =>
    (graph?.node ?? []).some((node) =>
      node.attribute.some(({ g }) =>
        g?.node.some((inner) => inner.attribute.some((one) => one.g?.node.some(({ opType }) => opType === 'Erf'))),
      ),
    );
  const { model: left, outcomes } = await reduceModel(whole, nested);
  assert.ok(nested(left, undefined));
  assert.is(outcomes.invalid, 0);
  assert.equal(
    operators(left).filter((operator) => !['If', 'Identity'].includes(operator)),
    ['Erf'],
  );
});

test('a body that runs over slices, and what it goes on with', async () => {
  const whole = model(`g (float[2] s, float[3,2] x) => (float[2] y, float[3,2] z) {
    a = Abs (s)
    b, z = Scan <num_scan_inputs = 1, body = body (float[2] t, float[2] i) => (float[2] o, float[2] e) {
      k = Add (t, i)
      o = Erf (k)
      e = Neg (o)
    }> (a, x)
    y = Sin (b)
  }`);
  const joined: Predicate = ({ proto: { graph } }) => {
    const made = graph?.node.filter(({ opType }) => opType === 'Erf').flatMap(({ output }) => output) ?? [];
    return (
      graph?.node.some(({ opType, input }) => opType === 'Sin' && made.includes(input[0] ?? '')) ||
      has('Scan', 'Erf', 'Sin')(graph as never, undefined) === true
    );
  };
  const either: Predicate = (one, feeds) =>
    has('Erf', 'Sin')(one, feeds) && (has('Scan')(one, feeds) || joined(one, feeds));
  const { model: left } = await reduceModel(whole, either);
  assert.equal(operators(left), ['Erf', 'Sin'], toText(left));
});

test('functions that must stay, each for itself', async () => {
  const whole = parseModel(
    `<ir_version: 10, opset_import: ["" : 21, "l" : 1]>
  g (float[n] x) => (float[n] y) { a = l.one (x) b = l.two (a) y = l.one (b) }
  <domain: "l", opset_import: ["" : 21]> one (p) => (q) { r = Abs (p) q = Erf (r) }
  <domain: "l", opset_import: ["" : 21]> two (p) => (q) { r = l.one (p) q = Sin (r) }`
      .replace('two (p)', 'two (p)')
      .replace('"" : 21]> two', '"" : 21, "l" : 1]> two'),
  );
  const called =
    (name: string): Predicate =>
    ({ proto }) =>
      proto.functions.some((f) => f.name === name && f.node.some(({ opType }) => opType === 'Sin' || opType === 'Erf'));
  const { model: left, nodes } = await reduceModel(whole, called('one'));
  assert.equal(
    left.proto.functions.map(({ name }) => name),
    ['one'],
  );
  assert.is(nodes, 2, toText(left));
  assert.is((await reduceModel(whole, called('two'))).nodes, 2);
});

test('a model that is not valid is reduced, by others that are not valid for the same reason', async () => {
  const whole = model('g (float[n] x) => (float[n] y) { a = Abs (x) b = Frobnicate (a) y = Abs (b) }');
  assert.ok((await checkModel(whole)).some(({ code }) => code === 'UNKNOWN_OPERATOR'));
  const { model: left } = await reduceModel(whole, has('Frobnicate'));
  assert.ok(operators(left).includes('Frobnicate'));
});

const folder = shared('models');
const path = (name: string) => join(folder, name, 'model.onnx');

/** Networks that nobody made for this, and operators that are in their midst. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  ...{ bert_mini: ['Erf', 'Softmax'], gpt_mini: ['Softmax'], ssdlite320: ['NonMaxSuppression', 'TopK'] },
  ...{
    lstm: ['LSTM'],
    gru: ['GRU'],
    mobilenet_v3_small: ['HardSwish'],
    unet_small: ['ConvTranspose'],
    vit_tiny6: ['Erf'],
  },
  ...{ squeezenet1_1: ['GlobalAveragePool'], mobilenet_v2: ['Clip'], digits_cnn_trained: ['Gemm'] },
  ...{
    forest_trained: ['TreeEnsembleClassifier'],
    gbdt_trained: ['TreeEnsembleRegressor'],
    iris_pipeline_trained: ['Scaler'],
  },
};

for (const name of sharedModels(...Object.keys(NETWORKS)))
  test(`${name}: ${NETWORKS[name]}`, async () => {
    const wanted = NETWORKS[name] ?? [];
    const whole = await loadModel(path(name));
    const present = wanted.filter((operator) => operators(whole).includes(operator));
    const sought = present.length > 0 ? present : [operators(whole)[operators(whole).length >> 1] as string];
    const { model: left, nodes } = await reduceModel(whole, has(...sought));
    assert.equal(operators(left).sort(), [...sought].sort());
    assert.is(nodes, sought.length);
    const errors = (await checkModel(left, { full: true })).filter(({ severity }) => severity === 'error');
    assert.equal(errors, []);
    assert.ok((await saveModel(left)).length > 0);
  });

test('weights stay in their file, and come along', async () => {
  const split = await toExternalData(await loadModel(path('digits_cnn_trained')), { threshold: 0 });
  const { model: left } = await reduceModel(split, has('Gemm'));
  assert.ok(left.proto.graph?.initializer.every(({ dataLocation }) => dataLocation === 1));
  await expectRejection('INVALID_ARGUMENT', /weights\.data/, saveModel(left));
  const { fromExternalData } = await import('../../../src/tools/index.js');
  assert.ok((await saveModel(await fromExternalData(left))).length > 1000);
});

test.run();
