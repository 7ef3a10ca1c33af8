import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { samplesIn } from '../../../src/cli/samples.js';
import { shortList } from '../../../src/tools/float16/search.js';
import {
  loadModel,
  type MixedPrecision,
  type Model,
  mixedPrecision,
  type Outputs,
  parseModel,
  saveModel,
} from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { shared, sharedModels } from '../../shared-data.js';
import { byTier } from '../../tier.js';
import { f32 } from '../../values.js';
import { errorOf, results } from './halved.js';

const test = suite('mixed precision');

/** Where one great number meets another, halves lose what is left; before and behind that they do. */
const model = parseModel(`<ir_version: 10, opset_import: ["": 21]>
  g (float[8] x) => (float[8] y) <float big = {1000.0}, float k = {0.5}> {
    [start] a = Mul(x, k)  [gain] b = Add(a, big)  [loss] c = Sub(b, big)  [then] d = Sigmoid(c)  [end] y = Neg(d) }`);

const FEEDS = [f32([8], [0.1, -0.2, 0.3, 0.01, 0.5, -0.7, 0.9, 2]), f32([8], [1, 2, 3, 4, 5, 6, 7, 8])].map((x) => ({
  x,
}));

/** The error of a result, found apart from what the report says. */
async function measured({ model: found }: MixedPrecision, source: Model): Promise<number> {
  const [half, float] = [await saveModel(found), await saveModel(source)];
  const errors = [];
  for (const feeds of FEEDS) errors.push(errorOf((await results(half, feeds)).y, (await results(float, feeds)).y));
  return Math.max(...errors);
}

test('only what the tolerance needs stays in float32', async () => {
  const mixed = await mixedPrecision(model, FEEDS, { tolerance: { relative: 1e-3 } });
  assert.equal(
    mixed.report.kept.map(({ node }) => node),
    ['gain', 'loss'],
  );
  assert.match(mixed.report.kept[0]?.reason ?? '', /needed for the tolerance: the error grows by 0\.\d+ at this node/);
  const error = await measured(mixed, model);
  assert.ok(error > 0 && error <= 1e-3, `${error}`);
  assert.ok(Math.abs(error - mixed.report.error) < 1e-9);
});

test('all is converted where the tolerance lets it, in one trial', async () => {
  const { report } = await mixedPrecision(model, FEEDS, { tolerance: { relative: 0.5 } });
  assert.equal(report.kept, []);
  assert.is(report.trials, 1);
});

test('a tolerance may be a function, or absolute', async () => {
  const seen: Outputs[] = [];
  const asked = await mixedPrecision(model, FEEDS, {
    tolerance: (actual, expected) => {
      seen.push(actual);
      return errorOf(actual.y, expected.y) < 1e-3;
    },
  });
  assert.equal(
    asked.report.kept.map(({ node }) => node),
    ['gain', 'loss'],
  );
  assert.ok(seen.length >= 2 * FEEDS.length);
  const absolute = await mixedPrecision(model, FEEDS, { tolerance: { absolute: 1e-3 } });
  assert.equal(
    absolute.report.kept.map(({ node }) => node),
    ['gain', 'loss'],
  );
});

test('a tolerance of nothing leaves all in float32', async () => {
  const mixed = await mixedPrecision(model, FEEDS, { tolerance: { relative: 0 } });
  assert.is(await measured(mixed, model), 0);
  assert.is(mixed.report.error, 0);
});

test('trials are as many as was said, and the result still within the tolerance', async () => {
  for (const trials of [1, 2, 3]) {
    const mixed = await mixedPrecision(model, FEEDS, { tolerance: { relative: 1e-3 }, trials });
    assert.ok(mixed.report.trials <= trials + 1, `${mixed.report.trials}`);
    assert.ok((await measured(mixed, model)) <= 1e-3);
  }
});

test('at an old opset, with infinities among the numbers', async () => {
  const old = parseModel(`<ir_version: 7, opset_import: ["": 9]>
    g (float[8] x) => (float[8] y) <float[8] mask = {0, 0, -3.4028234663852886e38, 0, 0, 0, 0, 0}, float[8] k = {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}> {
      [mean] a = Add(x, k)  [left] b = Sub(a, k)  [masked] c = Add(b, mask)  [twice] d = Add(c, mask)  [shares] y = Softmax <axis = 0> (d) }`);
  const mixed = await mixedPrecision(old, FEEDS, { tolerance: { relative: 1e-3 } });
  assert.equal(
    mixed.report.kept.map(({ node }) => node),
    ['mean', 'left'],
  );
  assert.ok((await measured(mixed, old)) <= 1e-3);
});

test('refuses a tolerance that the model itself is not within, and no samples', async () => {
  await expectRejection(
    'INVALID_ARGUMENT',
    /model itself does not meet/,
    mixedPrecision(model, FEEDS, { tolerance: () => false }),
  );
  await expectRejection('INVALID_ARGUMENT', /no samples/, mixedPrecision(model, []));
  await expectRejection('ABORTED', /./, mixedPrecision(model, FEEDS, { signal: AbortSignal.abort() }));
});

test('short lists: the beginning that is needed, and of it no more', async () => {
  const needs = new Set([3, 17, 18]);
  let asked = 0;
  const passes = async (list: readonly number[]) => {
    asked++;
    return [...needs].every((n) => list.includes(n));
  };
  const all = Array.from({ length: 100 }, (_, i) => i);
  assert.equal(await shortList(all, passes, () => false), [3, 17, 18]);
  assert.ok(asked < 40, `${asked} trials`);
});

const models = shared('models');
/** A network, and a tolerance that it does not meet in halves alone. */
const QUICK = { network: 'mobilenet_v3_small', relative: 3e-3 };
const { network, relative } = byTier({ quick: QUICK, ci: QUICK, all: { network: 'mobilenet_v2', relative: 1e-2 } });

for (const name of sharedModels(network))
  test(`${name} within ${100 * relative} %, most of it in float16`, async () => {
    const folder = join(models, name);
    const whole = await loadModel(readFileSync(join(folder, 'model.onnx')));
    const samples = [];
    for await (const feeds of samplesIn(folder, whole)) if (samples.length === 0) samples.push(feeds);
    const { report, model: found } = await mixedPrecision(whole, samples, {
      tolerance: { relative },
      trials: 14,
    });
    assert.ok(report.kept.length > 0 && report.kept.length < 20, `${report.kept.length} nodes stay`);
    const [half, float] = [await saveModel(found), await saveModel(whole)];
    const [feeds = {}] = samples;
    const error = errorOf((await results(half, feeds)).output, (await results(float, feeds)).output);
    assert.ok(error <= relative, `${error}`);
  });

test.run();
