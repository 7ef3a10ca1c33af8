import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../../build/onnx.js';
import { tensor } from '../../../src/builder/index.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import type { Model } from '../../../src/model/document/model.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { checkModel } from '../../../src/tools/check/index.js';
import { ConversionError, convertVersion } from '../../../src/tools/convert/index.js';
import { modelOf } from '../../../src/tools/model-of.js';
import { parseModel, toText } from '../../../src/tools/text.js';
import { sampled } from '../../tier.js';
import { networks } from '../check/models.js';
import { hasNative, run, runNatively, type Values } from '../quantize/runs.js';
import { wrongIn } from './round-trip.js';

const test = sampled(suite('convertVersion: trees'), { quick: 1 / 3 });

const to = (model: Model, opset: number) => convertVersion(model, opset, { domain: 'ai.onnx.ml' });

/** x0 <= 0.5 ? 0 : (x1 < 2, or missing ? 1 : 2), then a tree that is one leaf. */
const TREES = `
  nodes_treeids = [0, 0, 0, 0, 0, 7], nodes_nodeids = [0, 1, 2, 3, 4, 0], nodes_featureids = [0, 0, 1, 0, 0, 0],
  nodes_modes = ["BRANCH_LEQ", "LEAF", "BRANCH_LT", "LEAF", "LEAF", "LEAF"], nodes_values = [0.5, 0.0, 2.0, 0.0, 0.0, 0.0],
  nodes_truenodeids = [1, 0, 3, 0, 0, 0], nodes_falsenodeids = [2, 0, 4, 0, 0, 0], nodes_missing_value_tracks_true = [0, 0, 1, 0, 0, 0]`;

const votes = (what: string, ids: readonly number[], weights: readonly number[]) => `
  ${what}_treeids = [0, 0, 0, 0, 7], ${what}_nodeids = [1, 3, 3, 4, 0], ${what}_ids = [${ids}],
  ${what}_weights = [${weights.map((weight) => weight.toFixed(3))}]`;

const single = (what: string, ids: readonly number[], weights: readonly number[]) => `
  ${what}_treeids = [0, 0, 0, 7], ${what}_nodeids = [1, 3, 4, 0], ${what}_ids = [${ids}],
  ${what}_weights = [${weights.map((weight) => weight.toFixed(3))}]`;

const SHARED = votes('target', [0, 0, 1, 1, 0], [0.1, -0.2, 0.3, 0.4, 0.25]);
const BOTH = votes('target', [0, 0, 1, 0, 1], [0.1, -0.2, 0.3, 0.4, 0.25]);
const SCORED = single('target', [0, 0, 0, 0], [0.125, -0.25, 0.5, 0.25]);

const regressor = (attributes: string, element = 'float') =>
  `g (${element}[4,2] x) => (float[4,n] y) { y = ai.onnx.ml.TreeEnsembleRegressor <${TREES}, ${attributes}> (x) }`;

const classifier = (attributes: string, labels: string, type: string) =>
  `g (float[4,2] x) => (${type}[4] y, float[4,n] z) { y, z = ai.onnx.ml.TreeEnsembleClassifier <${TREES}, ${attributes}, ${labels}> (x) }`;

const CLASSES = 'classlabels_int64s = [0, 1, 2]';
const PAIR = 'classlabels_strings = ["no", "yes"]';
const ONE = single('class', [0, 0, 0, 0], [0.125, 0.25, 0.5, 0.25]);
const NEGATIVE = single('class', [0, 0, 0, 0], [0.125, -0.5, 0.5, 0.25]);
const MANY = votes('class', [0, 1, 2, 1, 0], [0.1, 0.2, 0.3, 0.4, 0.25]);

const SAME: Readonly<Record<string, string>> = {
  'sums of several targets': regressor(`n_targets = 2, ${SHARED}`),
  'sums that do not begin with 0': regressor(
    `n_targets = 2, base_values = [1.5, -2.0], post_transform = "LOGISTIC", ${BOTH}`,
  ),
  'one sum, which is not bounded': regressor(`n_targets = 1, post_transform = "LOGISTIC", ${SCORED}`),
  averages: regressor(`n_targets = 1, aggregate_function = "AVERAGE", ${SCORED}`),
  'the least': regressor(`n_targets = 1, aggregate_function = "MIN", ${SCORED}`),
  'the greatest': regressor(`n_targets = 1, aggregate_function = "MAX", ${SCORED}`),
  'of doubles': regressor(`n_targets = 1, ${SCORED}`, 'double'),
  'of integers': regressor(`n_targets = 1, ${SCORED}`, 'int64'),
  'classes in order': classifier(MANY, CLASSES, 'int64'),
  'classes with names, and probabilities': classifier(
    `${MANY}, post_transform = "SOFTMAX"`,
    'classlabels_strings = ["a", "b", "c"]',
    'string',
  ),
  'votes for the second of two': classifier(ONE, PAIR, 'string'),
  'votes for and against one of two': classifier(`${NEGATIVE}, base_values = [0.1]`, PAIR, 'string'),
  'votes for one of two, bounded': classifier(
    `${ONE}, post_transform = "LOGISTIC"`,
    'classlabels_int64s = [-1, 1]',
    'int64',
  ),
};

const ROWS = [0.5, 9, 0.75, 2, 1, Number.NaN, 3, -1];
const WHOLE = [0, 9, 1, 2, 1, 1, 3, -1];

/** The rows that a model takes, in its type. */
function feedFor({ proto }: Model): TensorValue {
  const element = proto.graph?.input[0]?.type?.tensorType?.elemType;
  if (element === 7) return tensor('int64', [4, 2], WHOLE.map(BigInt)) as TensorValue;
  return tensor(element === 11 ? 'float64' : 'float32', [4, 2], ROWS) as TensorValue;
}

type Run = (bytes: Uint8Array, feeds: Values) => Promise<Values>;

/** Ours, and as a witness onnxruntime, where it is installed; its trees take no integers. */
const RUNS: readonly Run[] = hasNative ? [run, runNatively] : [run];

const outputsOf = ({ proto }: Model, from: Run, x: TensorValue) => from(encodeExactly(ModelProto, proto), { x });

function assertClose(found: Values, expected: Values): void {
  for (const [name, { data }] of Object.entries(expected)) {
    const values = Array.from((found[name]?.data ?? []) as ArrayLike<unknown>);
    const isClose = (value: unknown, i: number) =>
      typeof value === 'number' ? Math.abs(Number(values[i]) - value) <= 1e-6 : values[i] === value;
    assert.ok(Array.from(data as ArrayLike<unknown>).every(isClose), `${name} is ${values}, not ${data}`);
    assert.is(values.length, data.length);
  }
}

/** The model is sound, and gives everywhere what the first run of the other gives. */
async function givesTheSame(converted: Model, model: Model, x: TensorValue): Promise<void> {
  const issues = await checkModel(converted.proto, { full: true });
  assert.equal(
    issues.filter(({ severity }) => severity === 'error'),
    [],
  );
  const expected = await outputsOf(model, run, x);
  for (const from of x.type === 'int64' ? [run] : RUNS) {
    assertClose(await outputsOf(model, from, x), expected);
    assertClose(await outputsOf(converted, from, x), expected);
  }
}

const source = (text: string, imports = '"" : 17, ') =>
  parseModel(`<ir_version: 8, opset_import: [${imports}"ai.onnx.ml" : 3]> ${text}`);

for (const [what, text] of Object.entries(SAME))
  test(`${what}: as TreeEnsemble, and back`, async () => {
    const model = source(text);
    const x = feedFor(model);
    const there = await to(model, 5);
    assert.match(toText(there), /TreeEnsemble </);
    await givesTheSame(there, model, x);
    if (x.type === 'float64') return;
    const back = await to(there, 1);
    assert.match(toText(back), /TreeEnsembleRegressor </);
    await givesTheSame(back, model, x);
  });

test('a model that imports ai.onnx.ml alone imports what its classes are found with', async () => {
  const model = source(SAME['votes for the second of two'] as string, '');
  await givesTheSame(await to(model, 5), model, feedFor(model));
});

const REFUSED: readonly (readonly [text: string, target: number, reason: RegExp])[] = [
  [regressor(`n_targets = 2, aggregate_function = "MAX", ${SHARED}`), 5, /MAX with several weights per leaf/],
  [classifier(`${MANY}, post_transform = "PROBIT"`, CLASSES, 'int64'), 5, /post_transform=PROBIT/],
  [
    'g (double[2,2] x) => (float[2,1] y) { y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, nodes_values_as_tensor = double[1] {0.1}> (x) }',
    2,
    /nodes_values_as_tensor of type float64/,
  ],
  [
    'g (float[2,2] x) => (float[2,1] y) { y = ai.onnx.ml.TreeEnsembleRegressor <n_targets = 1, nodes_treeids = [0], nodes_nodeids = [0], nodes_modes = ["BRANCH_LT"], nodes_featureids = [0], nodes_values = [1.0], nodes_truenodeids = [4], nodes_falsenodeids = [5]> (x) }',
    5,
    /tree 0 has no node 4/,
  ],
];

for (const [text, target, reason] of REFUSED)
  test(`is refused: ${reason.source}`, async () => {
    const thrown = await to(source(text), target).catch((error: unknown) => error);
    assert.instance(thrown, ConversionError, `${thrown}`);
    assert.match((thrown as ConversionError).obstacles[0].reason, reason);
  });

for (const path of networks().filter((name) => /forest|gbdt|iris/.test(name)))
  test(`${basename(dirname(path))} gives what it was trained to`, async () => {
    const there = await to(modelOf(readFileSync(path)), 5);
    assert.is(await wrongIn(there, path), undefined);
    assert.is(await wrongIn(await to(there, 1), path), undefined);
  });

test.run();
