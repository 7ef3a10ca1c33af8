import { join } from 'node:path';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FolderSource, type VerifyProgress, verifyModels } from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { shared, sharedModels } from '../../shared-data.js';
import { f32 } from '../../values.js';
import { caseFiles, relu } from '../conformance/suites.js';
import { chosen, entryOf, handleOf } from '../folder/places.js';

const test = suite('verifyModels');

const X = f32([4], [3, 0, 4, 0]);

/** Two models: the second data set of the first is off by [0, 0, 0.3, 0.4]. */
const TWO = {
  ...caseFiles('all/first', relu(), [X], [X]),
  ...caseFiles('all/first', relu(), [X], [f32([4], [3, 0, 4.3, 0.4])], 1),
  ...caseFiles('all/second', relu(), [X], [X]),
};

const OUTPUT = { output: 'y', type: 'float32[4]' };
const RIGHT = { ...OUTPUT, relativeL2: 0, maxAbs: 0, passed: true };
const below = Object.entries(TWO).map(([path, bytes]) => [path.slice('all/'.length), bytes] as const);

const SOURCES: Readonly<Record<string, () => FolderSource>> = {
  'bytes by path': () => Object.entries(TWO),
  'a zip file': () => zipSync(TWO),
  'a chosen folder': () => chosen(Object.entries(TWO)),
  'a handle': () => handleOf('all', below),
  'a dropped folder': () => entryOf('all', below),
};

for (const [name, sourceIn] of Object.entries(SOURCES))
  test(`finds how far outputs are off, in ${name}`, async () => {
    const { tolerance, failed, outputs } = await verifyModels(sourceIn());
    assert.is(tolerance, 1e-4);
    assert.is(failed, 1);
    const [first, off, second] = outputs;
    assert.equal(first, { model: 'first', set: '0', ...RIGHT });
    assert.equal(second, { model: 'second', set: '0', ...RIGHT });
    const [distance, norm] = [
      Math.hypot(Math.fround(4.3) - 4, Math.fround(0.4)),
      Math.hypot(3, Math.fround(4.3), Math.fround(0.4)),
    ];
    assert.ok(Math.abs((off?.relativeL2 as number) - distance / norm) < 1e-12);
    assert.equal(
      { ...off, relativeL2: 0 },
      { model: 'first', set: '1', ...OUTPUT, relativeL2: 0, maxAbs: Math.fround(0.4), passed: false },
    );
  });

test('a single folder, a light model, and bounds of one’s own', async () => {
  const files = Object.entries(TWO).filter(([path]) => path.startsWith('all/first'));
  const { failed, outputs } = await verifyModels(files, { tolerance: 0.2 });
  assert.equal([failed, ...outputs.map(({ model, set }) => `${model} ${set}`)], [0, 'first 0', 'first 1']);
  const boxes = await verifyModels(files, { boxes: 0.35 });
  assert.is(boxes.failed, 1, 'a vector of 4 counts as boxes');
  const light = { 'light_thing.onnx': (TWO as Record<string, Uint8Array>)['all/first/model.onnx'] as Uint8Array };
  const ramp = caseFiles('x', relu(), [], [f32([1], [0])]);
  const found = await verifyModels(
    Object.entries({ ...light, 'light_thing_output_0.pb': ramp['x/test_data_set_0/output_0.pb'] as Uint8Array }),
  );
  assert.equal(found.outputs, [{ model: 'light_thing', set: 'ramp', ...RIGHT, type: 'float32[1]' }]);
});

test('what keeps a model or data set from running is a finding', async () => {
  const broken = {
    ...TWO,
    'all/second/model.onnx': new Uint8Array(9),
    'all/first/test_data_set_1/input_0.pb': new Uint8Array(3).fill(255),
  };
  const { failed, outputs } = await verifyModels(Object.entries(broken));
  assert.is(failed, 2);
  const nothing = { output: '', type: '', relativeL2: null, maxAbs: null, passed: false };
  const [, values, model] = outputs;
  assert.equal({ ...values, problem: '' }, { model: 'first', set: '1', ...nothing, problem: '' });
  assert.match(values?.problem ?? '', /^first\/test_data_set_1\/input_0.pb: /);
  assert.equal({ ...model, problem: '' }, { model: 'second', set: '', ...nothing, problem: '' });
  assert.match(model?.problem ?? '', /ONNX model/);
});

test('tells how far it has come, and can be stopped', async () => {
  const told: string[] = [];
  const tell = ({ done, total, model, set, outputs }: VerifyProgress) =>
    told.push(`${done}/${total} ${model} ${set ?? 'loading'} ${outputs.length}`);
  await verifyModels(zipSync(TWO), { onProgress: tell });
  assert.equal(told, [
    '0/2 first loading 0',
    '0/2 first 0 0',
    '0/2 first 1 1',
    '1/2 second loading 2',
    '1/2 second 0 2',
  ]);
  for (const stopAt of [0, 1, 3]) {
    const abort = new AbortController();
    let count = 0;
    const onProgress = () => count++ === stopAt && abort.abort();
    await expectRejection('ABORTED', /aborted/, verifyModels(zipSync(TWO), { signal: abort.signal, onProgress }));
    assert.is(count, stopAt + 1);
  }
});

test('says where there is nothing to verify', async () => {
  await expectRejection(
    'INVALID_VALUE',
    /"all" contains no model with test data/,
    verifyModels([['all/x.txt', new Uint8Array()]]),
  );
  await expectRejection('INVALID_VALUE', /the folder contains no model/, verifyModels([]));
});

const models = shared('models');
test('the models that onnxruntime has run are within 1e-4, on disk and in a zip file', async () => {
  const names = sharedModels('lstm', 'gru', 'iris_pipeline_trained', 'digits_cnn_trained');
  for (const name of names) {
    const onDisk = await verifyModels(join(models, name));
    assert.is(onDisk.failed, 0);
    assert.ok(onDisk.outputs.every(({ model }) => model === name));
  }
});

test.run();
