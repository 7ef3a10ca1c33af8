import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import { compareModels, convertVersion, loadModel, parseModel, saveModel, simplify } from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { shared, sharedModels } from '../../shared-data.js';
import { skipped } from '../../skipped.js';
import { f32 } from '../../values.js';

const test = suite('compareModels');

const model = (body: string) => parseModel(`<ir_version: 10, opset_import: ["" : 21]>\n${body}`);
const chain = (alpha: string) =>
  model(`g (float[n] x) => (float[n] y, bool[n] p) {
    a = Abs (x)
    [steep] b = LeakyRelu <alpha = ${alpha}> (x)
    c = Add (a, b)
    y = Sqrt (a)
    zero = Constant <value = float {0}> ()
    p = Greater (c, zero)
  }`);

const x = f32([3], [-1, 2, -3]);

test('the first difference is that of the node that is wrong, the worst another', async () => {
  const { values, failed, first, worst } = await compareModels(chain('0.1'), chain('0.2'), { x });
  assert.equal(
    values.map(({ name, passed }) => [name, passed]),
    [
      ['a', true],
      ['b', false],
      ['c', false],
      ['y', true],
      ['zero', true],
      ['p', true],
    ],
  );
  assert.is(failed, 2);
  assert.equal([first?.name, first?.node, first?.isCaptured], ['b', 'LeakyRelu "steep"', true]);
  // b: (−0.1, 2, −0.3) for (−0.2, 2, −0.6); c: (0.9, 4, 2.7) for (0.8, 4, 2.4).
  assert.is(worst?.name, 'b');
  assert.ok(Math.abs((first?.relativeL2 ?? 0) - Math.sqrt(0.1 / 4.4)) < 1e-6);
  assert.equal(first?.at?.index, [2]);
});

test('tolerances hold for all values, or one', async () => {
  const failures = async (options: object) => {
    const { values } = await compareModels(chain('0.1'), chain('0.2'), { x }, options);
    return values.filter(({ passed }) => !passed).map(({ name }) => name);
  };
  assert.equal(await failures({ tolerance: 0.5 }), []);
  assert.equal(await failures({ tolerances: { b: 0.5 } }), ['c']);
  assert.equal(await failures({ capture: ['c'] }), ['c']);
  assert.equal(await failures({ capture: [] }), []);
  await expectRejection('UNKNOWN_OUTPUT', /"z"/, failures({ tolerances: { z: 1 } }));
  await expectRejection('UNKNOWN_OUTPUT', /"z"/, failures({ capture: ['z'] }));
  await expectRejection('INVALID_ARGUMENT', /expected a number of 0 or more/, failures({ tolerance: Number.NaN }));
});

test('NaN and infinities are equal to themselves only, integers exact beyond 2^53', async () => {
  const odd = (last: string) =>
    model(`g (float[2] x) => (float[2] y, int64[1] i) {
      zero = Sub (x, x)
      y = Div (${last}, zero)
      i = Constant <value = int64[1] {9007199254740993}> ()
    }`);
  const feeds = { x: f32([2], [1, -1]) };
  const same = await compareModels(odd('x'), odd('x'), feeds);
  assert.is(same.failed, 0);
  const { first } = await compareModels(odd('zero'), odd('x'), feeds);
  assert.is(first?.name, 'y');
  assert.ok(Number.isNaN(first?.relativeL2));
  const other = model(`g (float[2] x) => (int64[1] i) { i = Constant <value = int64[1] {9007199254740992}> () }`);
  const { first: integer } = await compareModels(other, odd('x'), feeds, { capture: [] });
  assert.equal(
    [integer?.name, integer?.at?.actual, integer?.at?.expected],
    ['i', 9007199254740992n, 9007199254740993n],
  );
});

test('strings, sequences, optionals and empty tensors', async () => {
  const body = (text: string, axis: number) =>
    model(`g (float[n,2] x) => (string[2] s, seq(float[m,k]) l, optional(float[n,2]) o, float[0] e) {
      s = Constant <value = string[2] {"a", "${text}"}> ()
      l = SplitToSequence <axis = ${axis}> (x)
      o = Optional (x)
      e = Constant <value = float[0] {}> ()
    }`);
  const feeds = { x: f32([3, 2], [1, 2, 3, 4, 5, 6]) };
  assert.is((await compareModels(body('b', 0), body('b', 0), feeds)).failed, 0);
  const { values } = await compareModels(body('c', 1), body('b', 0), feeds);
  assert.equal(
    values.filter(({ passed }) => !passed).map(({ name, mismatch }) => [name, mismatch]),
    [
      ['s', '1 of 2 elements differ'],
      ['l', 'expected 3 items, got 2'],
    ],
  );
});

test('models without a common name, and runtimes without feeds, are refused', async () => {
  const [a, b] = [
    model('g (float[1] x) => (float[1] y) { y = Abs (x) }'),
    model('g (float[1] x) => (float[1] z) { z = Abs (x) }'),
  ];
  await expectRejection('UNKNOWN_OUTPUT', /the first returns "y", the second "z"/, compareModels(a, b));
  const runner = { run: async () => ({}) };
  await expectRejection('INVALID_ARGUMENT', /feeds are required/, compareModels(runner, runner));
  await expectRejection(
    'ABORTED',
    /the comparison was aborted/,
    compareModels(a, a, undefined, { signal: AbortSignal.abort() }),
  );
});

test('a runtime is held to a model, on feeds that are generated', async () => {
  const session = await InferenceSession.create(await saveModel(chain('0.1')));
  const { values, failed } = await compareModels(session, chain('0.2'), undefined, { sizes: { n: 5 } });
  // Numbers in 0 … 1 do not see a slope below 0.
  assert.is(failed, 0);
  assert.equal(
    values.map(({ name, type }) => [name, type]),
    [
      ['y', 'float32[5]'],
      ['p', 'bool[5]'],
    ],
  );
  const off = await compareModels(session, chain('0.2'), { x: f32([1], [-0.5]) });
  assert.is(off.failed, 0, 'b is inside');
  await session.release();
});

const folder = shared('models');
const path = (name: string) => join(folder, name, 'model.onnx');

test('a model against the plain definitions of its operators, value by value', async () => {
  for (const name of sharedModels('digits_cnn_trained', 'lstm', 'iris_pipeline_trained')) {
    const loaded = await loadModel(path(name));
    const { failed, values, first } = await compareModels(loaded, {
      model: loaded,
      session: { executionProviders: ['reference'] },
    });
    assert.is(failed, 0, `${name}: ${first?.name}`);
    assert.ok(values.length > 1);
  }
});

test('what simplify and convertVersion make gives the same', async () => {
  const loaded = await loadModel(path('digits_cnn_trained'));
  const { model: simple } = await simplify(loaded);
  for (const other of [simple, await convertVersion(loaded, 20)]) {
    const { failed, values } = await compareModels(other, loaded, undefined, { seed: 3 });
    assert.is(failed, 0);
    assert.ok(values.some(({ isCaptured }) => isCaptured));
  }
});

const ONNXRUNTIME = new URL('../../../bench/node_modules/onnxruntime-node', import.meta.url);

if (!existsSync(ONNXRUNTIME)) skipped('onnxruntime-node is not installed in bench/');
else
  test('onnxruntime-node, as it is', async () => {
    const { runtime, OPTIONS } = await import('../../contrib/runtime.js');
    for (const name of sharedModels('lstm', 'digits_cnn_trained', 'squeezenet1_1')) {
      const session = await runtime.InferenceSession.create(readFileSync(path(name)), OPTIONS);
      const runner = {
        run: (feeds: Record<string, unknown>) => session.run(feeds) as Promise<Record<string, HostValue>>,
      };
      const { failed, values } = await compareModels(await loadModel(path(name)), runner);
      assert.is(failed, 0, name);
      assert.is(values.length, 1);
      await session.release();
    }
  });

test.run();
