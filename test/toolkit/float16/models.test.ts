import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { samplesIn } from '../../../src/cli/samples.js';
import { writeModel } from '../../../src/model/write-model.js';
import type { Feeds } from '../../../src/session/feeds.js';
import { ELEMENTS } from '../../../src/tensor/element-types.js';
import { isTensorValue, type TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomNumbers } from '../../../src/tools/generated-input.js';
import { convertVersion, type Float16Options, loadModel, saveModel, toFloat16 } from '../../../src/tools/index.js';
import { nodesIn } from '../../../src/tools/quantize/graphs.js';
import { LAYOUTS } from '../../layouts/tiny.js';
import { shared, sharedModels } from '../../shared-data.js';
import { skipped } from '../../skipped.js';
import { byTier, isAtLeast, sampled } from '../../tier.js';
import { hasNative, runNatively, type Values } from '../quantize/runs.js';
import { errorOf, feedsFor, halved, type Results, results } from './halved.js';

const test = sampled(suite('whole models in half precision'), { ci: 1 / 4 });

/** What rounding each result to 11 bits comes to, where the network does not magnify it; else what was measured, and a half more. */
const USUAL = 3e-3;
const MEASURED: Readonly<Record<string, number>> = {
  mobilenet_v2: 2.5e-2,
  mobilenet_v3_small: 6e-3,
  kokoro: 0.13,
  clip: 0.17,
};

/** Which of a hundred detections of like scores is which follows from the last bits. */
const ORDERED = new Set(['boxes', 'labels']);

function expectClose(name: string, found: Results, expected: Results, who: string): void {
  for (const [output, value] of Object.entries(expected)) {
    if (!value || !isTensorValue(value) || value.type !== 'float32' || ORDERED.has(output)) continue;
    const error = errorOf(found[output], value);
    assert.ok(error <= (MEASURED[name] ?? USUAL), `${name}: ${output} is ${error} off ${who}`);
  }
}

const isText = (feeds: Feeds) =>
  Object.values(feeds).every(
    (value) => isTensorValue(value as TensorValue) && (value as TensorValue).type !== 'string',
  );

async function expectHalf(name: string, bytes: Uint8Array, feeds: Feeds, options: Float16Options = {}): Promise<void> {
  const { bytes: half } = await halved(bytes, { keepIO: true, ...options });
  const expected = await results(bytes, feeds);
  expectClose(name, await results(half, feeds), expected, 'here');
  if (!hasNative) skipped('bench/node_modules has no onnxruntime-node');
  else if (isText(feeds) && Object.values(expected).every((value) => value && isTensorValue(value)))
    expectClose(name, await runNatively(half, feeds as Values), expected, 'in onnxruntime');
}

/** Their numbers are attributes, of which ONNX has no others. */
const OF_TREES = new Set(['forest_trained', 'gbdt_trained', 'iris_pipeline_trained']);

async function firstOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  for await (const item of items) return [item];
  return [];
}

const models = shared('models');
for (const name of readdirSync(models).filter((file) => !file.includes('.')))
  test(`${name}: half the size, and its outputs`, async () => {
    const folder = join(models, name);
    const bytes = readFileSync(join(folder, 'model.onnx'));
    const [feeds] = await firstOf(samplesIn(folder, await loadModel(bytes)));
    await expectHalf(name, bytes, feeds as Feeds);
    if (!OF_TREES.has(name)) assert.ok((await halved(bytes)).bytes.length < 0.56 * bytes.length);
  });

const SIZES = { batch_size: 1, total_sequence_length: 4, num_samples: 4000, text_batch_size: 1 };

for (const { model, repository } of LAYOUTS)
  for (const [part, make] of Object.entries(repository.models))
    test(`${model}, ${part}: its outputs`, async () => {
      const bytes = writeModel(make('fp32'));
      await expectHalf(model, bytes, await feedsFor(bytes, SIZES));
    });

const backend = shared('onnx-backend-tests');
/** Hundreds of megabytes of weights: slow, and made of the same operators as the others. */
const HEAVY = isAtLeast('all') ? /^$/ : /vgg|alexnet|zfnet/;
const light = readdirSync(join(backend, 'light')).filter((file) => file.endsWith('.onnx') && !HEAVY.test(file));
for (const file of light)
  test(`${file}: its outputs, though all weights are alike and sums overflow`, async () => {
    const bytes = readFileSync(join(backend, 'light', file));
    const feeds = await feedsFor(bytes);
    await expectHalf(file, bytes, feeds, { feeds: [feeds] });
  });

const OFTEN_CHANGED = new Set(['whisper', 'kokoro', 'clip']);

for (const { model, repository } of LAYOUTS.filter((layout) => OFTEN_CHANGED.has(layout.model)))
  for (const [part, make] of Object.entries(repository.models))
    test(`${model}, ${part}: whichever nodes stay, it is valid, and converted again the same`, async () => {
      const source = await loadModel(writeModel(make('fp32')));
      const random = randomNumbers(3);
      const isLeft = () => random() < 0.3;
      for (const keepIO of [true, false]) {
        const left = [...nodesIn(source.proto)].filter(isLeft).flatMap(([{ output }]) => output.filter(Boolean));
        const options: Float16Options = { keepIO, exclude: left };
        const once = await halved(source, options);
        assert.is((await toFloat16(once.model, options)).model.proto, once.model.proto);
      }
    });

const PLANS = [{}, { keepIO: true }, { to: 'bfloat16' }, { doubles: true }] as const;

test('models of the backend tests are as valid as before', async () => {
  const files = ['node', 'simple', 'pytorch-operator', 'pytorch-converted'].flatMap((group) =>
    readdirSync(join(backend, group)).map((name) => join(backend, group, name, 'model.onnx')),
  );
  const every = files.sort().filter((_, i) => i % byTier({ quick: 15, ci: 15, all: 5 }) === 0);
  for (const [i, file] of every.entries()) await halved(readFileSync(file), PLANS[i % PLANS.length]);
  assert.ok(every.length > 100);
});

for (const name of sharedModels('squeezenet1_1'))
  test('bfloat16: at an opset whose operators have it, nothing stays in float32', async () => {
    const folder = join(models, name);
    const bytes = await saveModel(await convertVersion(await loadModel(join(folder, 'model.onnx')), 22));
    const { bytes: half, report, model } = await halved(bytes, { keepIO: true, to: 'bfloat16' });
    assert.equal(report.kept, []);
    assert.not.ok(model.proto.graph?.initializer.some(({ dataType }) => dataType === ELEMENTS.float32.onnx));
    const [feeds = {}] = await firstOf(samplesIn(folder, model));
    const [{ output }, { output: expected }] = [await results(half, feeds), await results(bytes, feeds)];
    assert.ok(errorOf(output, expected) < 8 * USUAL, `${errorOf(output, expected)}`);
  });

test.run();
