import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, floats, ints, modelBuilder, strings, tensor } from '../../../src/builder/index.js';
import { InferenceSession, type TensorValue } from '../../../src/index.js';
import { transformRow } from '../../../src/ops/ml/post-transform.js';
import { expectRejection } from '../../expect-error.js';
import { f32 } from '../../values.js';
import { assertTensor, runNode } from './run-operator.js';

const test = suite('linear models and tree ensembles');

const x = tensor('float32', [2, 2], [-1, 0, 1, 0]);
const sigmoid = (v: number) => 1 / (1 + Math.exp(-v));
const shares = (...v: number[]) => v.map((s) => Math.exp(s) / v.reduce((sum, t) => sum + Math.exp(t), 0));

test('linear models', async () => {
  // Two targets: x0/2 + x1/4 + 0.1 and −x0/2 − x1/4 − 0.1.
  const two = { coefficients: floats([0.5, 0.25, -0.5, -0.25]), intercepts: floats([0.1, -0.1]) };
  const regress = (attributes: AttributeInputs, input: TensorValue = x) =>
    runNode({ op: 'LinearRegressor', attributes }, input);
  assertTensor((await regress({ ...two, targets: 2 }))[0], f32([2, 2], [-0.4, 0.4, 0.6, -0.6]));
  const soft = [...shares(-0.4, 0.4), ...shares(0.6, -0.6)];
  assertTensor((await regress({ ...two, targets: 2, post_transform: 'SOFTMAX' }))[0], f32([2, 2], soft));
  const single = { coefficients: floats([2, 3]) };
  assertTensor((await regress(single, tensor('int64', [2], [1, 1])))[0], f32([1, 1], [5]));

  const labels = { classlabels_strings: strings(['no', 'yes']) };
  const classify = (attributes: AttributeInputs) => runNode({ op: 'LinearClassifier', attributes, outputs: 2 }, x);
  const [names, scores] = await classify({ ...two, ...labels, post_transform: 'LOGISTIC' });
  assertTensor(names, tensor('string', [2], ['yes', 'no']));
  assertTensor(scores, f32([2, 2], [-0.4, 0.4, 0.6, -0.6].map(sigmoid)));
  const one = { coefficients: floats([0.5, 0.25]), intercepts: floats([0.1]), classlabels_ints: ints([10, 20]) };
  const [numbers, both] = await classify({ ...one, post_transform: 'LOGISTIC' });
  assertTensor(numbers, tensor('int64', [2], [10, 20]));
  assertTensor(both, f32([2, 2], [0.4, -0.4, -0.6, 0.6].map(sigmoid)));
  assertTensor((await classify(one))[1], f32([2, 2], [1.4, -0.4, 0.4, 0.6]));
  await expectRejection('INVALID_ATTRIBUTE', /3 coefficients/, regress({ coefficients: floats([1, 2, 3]) }));
});

type Votes = readonly (readonly [leaf: 1 | 2, id: number, weight: number])[];

/** One tree: node 1 where feature 0 is at most 0, else node 2. */
const stump = (kind: 'class' | 'target', votes: Votes): AttributeInputs => ({
  nodes_treeids: ints([0, 0, 0]),
  nodes_nodeids: ints([0, 1, 2]),
  nodes_featureids: ints([0, 0, 0]),
  nodes_values: floats([0, 0, 0]),
  nodes_modes: strings(['BRANCH_LEQ', 'LEAF', 'LEAF']),
  nodes_truenodeids: ints([1, 0, 0]),
  nodes_falsenodeids: ints([2, 0, 0]),
  [`${kind}_treeids`]: ints(votes.map(() => 0)),
  [`${kind}_nodeids`]: ints(votes.map(([leaf]) => leaf)),
  [`${kind}_ids`]: ints(votes.map(([, id]) => id)),
  [`${kind}_weights`]: floats(votes.map(([, , weight]) => weight)),
});

const THREE: Votes = [
  [1, 0, 0.5],
  [1, 2, 0.25],
  [2, 1, 0.75],
];
const POSITIVE: Votes = [
  [1, 0, 0.25],
  [2, 0, 0.75],
];
const MIXED: Votes = [
  [1, 0, -0.25],
  [2, 0, 0.75],
];

const classifiers: [name: string, votes: Votes, more: AttributeInputs, labels: number[], scores: number[]][] = [
  ['three classes', THREE, {}, [10, 20], [0.5, 0, 0.25, 0, 0.75, 0]],
  ['base values', THREE, { base_values: floats([0, 1, 0]) }, [20, 20], [0.5, 1, 0.25, 0, 1.75, 0]],
  ['softmax', THREE, { post_transform: 'SOFTMAX' }, [10, 20], [...shares(0.5, 0, 0.25), ...shares(0, 0.75, 0)]],
  [
    'softmax over votes',
    THREE,
    { post_transform: 'SOFTMAX_ZERO' },
    [10, 20],
    [...shares(0.5, 0.25).toSpliced(1, 0, 0), 0, 1, 0],
  ],
  ['a probability', POSITIVE, {}, [10, 20], [0.75, 0.25, 0.25, 0.75]],
  ['a margin', MIXED, {}, [10, 20], [0.25, -0.25, -0.75, 0.75]],
  ['a logit', MIXED, { post_transform: 'LOGISTIC' }, [10, 20], [0.25, -0.25, -0.75, 0.75].map(sigmoid)],
  ['a shifted margin', MIXED, { base_values: floats([0.5]) }, [20, 20], [-0.25, 0.25, -1.25, 1.25]],
];

for (const [name, votes, more, labels, scores] of classifiers) {
  test(`a tree classifier: ${name}`, async () => {
    const classlabels_int64s = ints(votes === THREE ? [10, 20, 30] : [10, 20]);
    const attributes = { ...stump('class', votes), classlabels_int64s, ...more };
    for (const version of [1, 3]) {
      const [y, z] = await runNode({ op: 'TreeEnsembleClassifier', attributes, version, outputs: 2 }, x);
      assertTensor(y, tensor('int64', [2], labels));
      assertTensor(z, f32([2, scores.length / 2], scores));
    }
  });
}

test('softmax over scores that are all zero gives 0.5', () => {
  assert.equal(transformRow([0, 0, 0], 'SOFTMAX_ZERO'), [0.5, 0.5, 0.5]);
});

test('a tree classifier names its classes', async () => {
  const attributes = { ...stump('class', THREE), classlabels_strings: strings(['a', 'b', 'c']) };
  const [y] = await runNode({ op: 'TreeEnsembleClassifier', attributes, version: 3, outputs: 2 }, x);
  assertTensor(y, tensor('string', [2], ['a', 'b']));
});

test('tree regressors take every type, float64 thresholds and a missing value', async () => {
  const attributes = { ...stump('target', POSITIVE), n_targets: 1 };
  const regress = (input: TensorValue, more: AttributeInputs = {}) =>
    runNode({ op: 'TreeEnsembleRegressor', attributes: { ...attributes, ...more }, version: 3 }, input);
  for (const type of ['float32', 'float64', 'int32', 'int64'] as const)
    assertTensor((await regress(tensor(type, [2, 2], [-1, 0, 1, 0])))[0], f32([2, 1], [0.25, 0.75]));
  const fine = 1 + 2 ** -40;
  const wide = { nodes_values: undefined, nodes_values_as_tensor: tensor('float64', [3], [1, 0, 0]) };
  assertTensor((await regress(tensor('float64', [2, 1], [1, fine]), wide))[0], f32([2, 1], [0.25, 0.75]));
  const missing = f32([2, 1], [Number.NaN, 1]);
  assertTensor((await regress(missing))[0], f32([2, 1], [0.75, 0.75]));
  const tracks = { nodes_missing_value_tracks_true: ints([1, 0, 0]) };
  assertTensor((await regress(missing, tracks))[0], f32([2, 1], [0.25, 0.75]));
});

/** Two trees that ask for features 0 and 1; version 5's example has sets. */
const ensemble = (element: 'float32' | 'float64' | 'float16') => ({
  tree_roots: ints([0, 1]),
  nodes_modes: tensor('uint8', [2], [0, 6]),
  nodes_splits: tensor(element, [2], [0, 0]),
  membership_values: tensor(element, [3], [2, 4, Number.NaN]),
  nodes_featureids: ints([0, 1]),
  nodes_truenodeids: ints([0, 2]),
  nodes_falsenodeids: ints([1, 3]),
  nodes_trueleafs: ints([1, 1]),
  nodes_falseleafs: ints([1, 1]),
  leaf_targetids: ints([0, 1, 1, 0]),
  leaf_weights: tensor(element, [4], [1, 2, 4, 8]),
  n_targets: 2,
});

test('TreeEnsemble: aggregates, sets and types', async () => {
  const sums = { AVERAGE: [0.5, 2, 4, 1], SUM: [1, 4, 8, 2], MIN: [1, 4, 8, 2], MAX: [1, 4, 8, 2] };
  for (const [number, expected] of Object.values(sums).entries()) {
    const attributes = { ...ensemble('float32'), aggregate_function: number };
    const [y] = await runNode({ op: 'TreeEnsemble', attributes }, f32([2, 2], [-1, 4, 1, 3]));
    assertTensor(y, f32([2, 2], expected));
  }
  const wide = { op: 'TreeEnsemble', attributes: ensemble('float64') };
  assertTensor((await runNode(wide, tensor('float64', [1, 2], [0, 2])))[0], tensor('float64', [1, 2], [1, 4]));
  const half = { op: 'TreeEnsemble', attributes: ensemble('float16') };
  const result = (await runNode(half, tensor('float16', [1, 2], [0, 2])))[0];
  assertTensor(result, tensor('float16', [1, 2], [1, 4]));
});

test('malformed trees are refused', async () => {
  const run = (attributes: AttributeInputs) => runNode({ op: 'TreeEnsembleRegressor', attributes, version: 3 }, x);
  const good = stump('target', POSITIVE);
  await expectRejection('INVALID_ATTRIBUTE', /no node 9/, run({ ...good, nodes_truenodeids: ints([9, 0, 0]) }));
  await expectRejection('INVALID_ATTRIBUTE', /cycle/, run({ ...good, nodes_truenodeids: ints([0, 0, 0]) }));
  await expectRejection('INVALID_SHAPE', /feature 5/, run({ ...good, nodes_featureids: ints([5, 0, 0]) }));
  await expectRejection(
    'INVALID_ATTRIBUTE',
    /BRANCH_ODD/,
    run({ ...good, nodes_modes: strings(['BRANCH_ODD', 'LEAF', 'LEAF']) }),
  );
});

test('the trees are packed once for all batch sizes', async () => {
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': 3 } });
  const trees = stump('target', POSITIVE);
  const attributes = { ...trees, post_transform: 'PROBIT' };
  const y = b.op('TreeEnsembleRegressor', [b.input('x', 'float32', ['rows', 1])], attributes, { domain: 'ai.onnx.ml' });
  b.output('y', y);
  const session = await InferenceSession.create(b.toBytes(), { graphOptimizationLevel: 'disabled' });
  for (const rows of [1, 3, 2]) {
    const { y: scores } = await session.run({ x: f32([rows, 1], new Array(rows).fill(1)) });
    assert.ok(Math.abs(((scores as typeof x).data[rows - 1] as number) - 0.6745) < 1e-3, 'the normal quantile of ¾');
  }
});

test.run();
