import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../../../src/index.js';
import { fromCatBoost, fromLightGBM, fromXGBoost, importFormatOf, saveModel } from '../../../../src/tools/index.js';
import { run } from '../../quantize/runs.js';
import { refuses } from '../../surgery/models.js';

const test = suite('forests that are refused');

const recorded = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).cases;
const trained: { readonly name: string; readonly library: string; readonly model: string; readonly ubj?: string }[] =
  recorded('trained.json');

const found = (library: string, name: string) =>
  trained.find((one) => one.library === library && one.name === name)?.model as string;
const bytesOf = (text: string) => new TextEncoder().encode(text);
const ubj = Uint8Array.from(atob(trained.find((one) => one.ubj)?.ubj as string), (c) => c.charCodeAt(0));

const XGBOOST = found('xgboost', 'squared error');
const LIGHTGBM = found('lightgbm', 'regression');
const CATBOOST = JSON.stringify(recorded('catboost.json')[0].model);

const DAMAGED: readonly (readonly [string, string, RegExp | string, string])[] = [
  ['xgboost', XGBOOST, /"left_children":\[\d+/, '"left_children":[9999'],
  ['xgboost', XGBOOST, /"left_children":\[\d+/, '"left_children":[0'],
  ['xgboost', XGBOOST, '"reg:squarederror"', '"reg:mystery"'],
  ['xgboost', XGBOOST, '"name":"gbtree"', '"name":"gblinear"'],
  ['xgboost', XGBOOST, /"split_indices":\[\d+/, '"split_indices":[500'],
  ['xgboost', XGBOOST, /"split_conditions":\[[^,]+/, '"split_conditions":[NaN'],
  ['xgboost', XGBOOST, '"base_score":', '"base":'],
  ['lightgbm', LIGHTGBM, 'objective=regression', 'objective=mystery'],
  ['lightgbm', LIGHTGBM, /left_child=\S+/, 'left_child=0'],
  ['lightgbm', LIGHTGBM, /right_child=\S+/, 'right_child=77'],
  ['lightgbm', LIGHTGBM, 'is_linear=0', 'is_linear=1'],
  ['lightgbm', LIGHTGBM, /threshold=\S+/, 'threshold=x'],
  ['lightgbm', LIGHTGBM, /decision_type=\d+/, 'decision_type=14'],
  ['lightgbm', LIGHTGBM, /^tree/, 'forest'],
  ['catboost', CATBOOST, /"leaf_values":\[[^\]]+\]/, '"leaf_values":[1,2,3]'],
  ['catboost', CATBOOST, /"float_feature_index":\d/, '"float_feature_index":7'],
  ['catboost', CATBOOST, '"features_info"', '"features"'],
];

const MESSAGES = [
  'tree 0: node 9999 is referenced, but missing',
  'node 0 has two parents',
  'unsupported objective reg:mystery',
  'unsupported booster gblinear',
  'tree 0: unknown feature 500; the model has 5 features',
  'tree 0: the threshold of node 0 is NaN',
  'model.learner.learner_model_param.base_score: expected a string, got undefined',
  'unsupported objective mystery',
  'node 0 has two parents',
  'tree 0: node 77 is referenced',
  'tree 0: linear leaves are not supported',
  'tree 0.threshold: expected a number, got "x"',
  'unknown decision_type 14',
  'the first line must be "tree"',
  'model.oblivious_trees[0].leaf_values: expected values for',
  'float_feature_index: expected an index of float_features, got 7',
  'expected an index of float_features',
];

const READERS = { xgboost: fromXGBoost, lightgbm: fromLightGBM, catboost: fromCatBoost } as const;

for (const [i, [library, text, from, to]] of DAMAGED.entries())
  test(`${library}: ${MESSAGES[i]}`, async () => {
    const changed = text.replace(from, to);
    assert.not.equal(changed, text);
    await refuses(READERS[library as keyof typeof READERS](bytesOf(changed)), MESSAGES[i] as string);
  });

test('what is cut short or damaged is an error of ours, or another model', async () => {
  const attempt = async (bytes: Uint8Array) => {
    try {
      await saveModel(await fromXGBoost(bytes));
    } catch (error) {
      if (!(error instanceof SardonyxError) || error.code !== 'INVALID_ARGUMENT') throw error;
    }
  };
  for (let length = 0; length < ubj.length; length += 97) await attempt(ubj.subarray(0, length));
  for (let at = 0; at < ubj.length; at += 31) {
    const damaged = ubj.slice();
    damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
    await attempt(damaged);
  }
});

test('files are told apart by what is in them', async () => {
  const formats = [XGBOOST, LIGHTGBM, CATBOOST, '{"weight_map": {}}'].map((text) => importFormatOf(bytesOf(text)));
  assert.equal(await Promise.all(formats), ['xgboost', 'lightgbm', 'catboost', 'safetensors']);
  assert.is(await importFormatOf(ubj), 'xgboost');
  for (const text of ['', '{"a":1}', 'tree of life', '{'])
    await refuses(importFormatOf(bytesOf(text)), text === '{' ? 'invalid JSON' : 'unknown file format');
});

test('the first rounds alone', async () => {
  const feeds = { input: { type: 'float32', dims: [1, 5], data: new Float32Array(5) } } as const;
  const values: number[] = [];
  for (const rounds of [0, 1, 3]) {
    const { variable } = await run(await saveModel(await fromLightGBM(bytesOf(LIGHTGBM), { rounds })), feeds);
    values.push(Number(variable?.data[0]));
  }
  assert.is(values[0], 0);
  assert.is(new Set(values).size, 3);
});

test('sets of categories take opset 5', async () => {
  const text = bytesOf(found('lightgbm', 'categories'));
  await refuses(fromLightGBM(text, { opset: 3 }), 'opset: categorical splits need 5');
  await refuses(fromLightGBM(text, { opset: 4 as 3 }), 'opset: expected 3 or 5, got 4');
});

test.run();
