import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TensorValue } from '../../../../src/tensor/tensor-value.js';
import { fromXGBoost } from '../../../../src/tools/index.js';
import { checked, run } from '../../quantize/runs.js';
import { refuses } from '../../surgery/models.js';

/** Forms of XGBoost's files that the version at hand does not write, by https://github.com/dmlc/xgboost/blob/master/src. */
const test = suite("forms of XGBoost's versions");

/** One tree: x0 < 0.5, else x1 < 2. */
const TREE = {
  left_children: [1, -1, 3, -1, -1],
  right_children: [2, -1, 4, -1, -1],
  split_indices: [0, 0, 1, 0, 0],
  split_conditions: [0.5, 10, 2, 20, 30],
  default_left: [1, 0, 0, 0, 0],
  split_type: [0, 0, 0, 0, 0],
  categories_nodes: [],
  categories_segments: [],
  categories_sizes: [],
  categories: [],
  tree_param: { num_nodes: '5', size_leaf_vector: '1' },
};

interface Form {
  readonly tree?: object;
  readonly score: string;
  readonly targets?: number;
  readonly objective?: string;
  readonly version: readonly number[];
}

const fileOf = ({ tree = {}, score, targets = 1, objective = 'reg:squarederror', version }: Form): Uint8Array => {
  const model = {
    gbtree_model_param: { num_trees: '1', num_parallel_tree: '1' },
    tree_info: [0],
    trees: [{ ...TREE, ...tree }],
  };
  const sizes = { base_score: score, num_class: '0', num_feature: '2', num_target: `${targets}` };
  const learner = {
    learner_model_param: sizes,
    objective: { name: objective },
    gradient_booster: { name: 'gbtree', model },
  };
  return new TextEncoder().encode(JSON.stringify({ version, learner }));
};

/** Rows that come to each leaf: missing to the left at the root, to the right below it. */
const ROWS = [0, 0, 1, 1, 1, 2, Number.NaN, 9, 1, Number.NaN];

async function resultsOf(form: Form): Promise<number[]> {
  const bytes = await checked(await fromXGBoost(fileOf(form)));
  const { variable } = await run(bytes, { input: { type: 'float32', dims: [5, 2], data: Float32Array.from(ROWS) } });
  return Array.from((variable as TensorValue).data as Float32Array);
}

const near = (found: readonly number[], expected: readonly number[]) => {
  assert.is(found.length, expected.length);
  for (const [i, value] of expected.entries()) assert.ok(Math.abs((found[i] as number) - value) < 1e-5, `${found}`);
};

test('one base score as text, and from 3.1 on as a list', async () => {
  const expected = [10.25, 20.25, 30.25, 10.25, 30.25];
  near(await resultsOf({ score: '2.5E-1', version: [1, 7, 4] }), expected);
  near(await resultsOf({ score: '[2.5E-1]', version: [3, 1, 0] }), expected);
});

test('raw logits begin with a probability before 1.5, and with a logit from then on', async () => {
  const form = { score: '2E-1', objective: 'binary:logitraw' };
  const logit = Math.log(0.2 / 0.8);
  near(
    await resultsOf({ ...form, version: [1, 4, 2] }),
    [10, 20, 30, 10, 30].map((x) => x + logit),
  );
  near(
    await resultsOf({ ...form, version: [1, 5, 0] }),
    [10, 20, 30, 10, 30].map((x) => x + 0.2),
  );
});

const VECTORS = [10.5, -1, 20.5, -2, 30.5, -3];
const EXPECTED = [10.5, -1, 20.5, -2, 30.5, -3, 10.5, -1, 30.5, -3].map((x, i) => x + (i % 2 ? 2 : 1));

test('leaves of several targets: by node in 2, by places of their own in 3', async () => {
  const tree_param = { num_nodes: '5', size_leaf_vector: '2' };
  const base_weights = [0, 0, ...VECTORS.slice(0, 2), 0, 0, ...VECTORS.slice(2)];
  const byNode = { tree_param, base_weights };
  near(await resultsOf({ tree: byNode, score: '[1E0,2E0]', targets: 2, version: [3, 0, 0] }), EXPECTED);
  const byPlace = { tree_param, right_children: [2, 0, 4, 1, 2], leaf_weights: VECTORS };
  near(await resultsOf({ tree: byPlace, score: '[1E0,2E0]', targets: 2, version: [3, 4, 0] }), EXPECTED);
});

test('scores that are neither one nor as many as targets are refused', async () => {
  await refuses(resultsOf({ score: '[1,2,3]', targets: 2, version: [3, 1, 0] }), 'expected one number or 2 numbers');
  await refuses(resultsOf({ score: 'half', version: [1, 7, 0] }), 'base_score: expected a number, got "half"');
});

test.run();
