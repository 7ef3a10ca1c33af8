import type { DataSource } from '../../../loading/source.js';
import type { Model } from '../../../model/document/model.js';
import { parsed, withoutNaN } from '../json.js';
import { readWhole } from '../read-whole.js';
import { Field, refuse } from './fields.js';
import type { Forest, ForestOptions, Leaf, Link, Outcome, Preparation, Tree, TreeNode } from './forest.js';
import { toModel } from './to-model.js';
import { fromUbjson } from './ubjson.js';

/** An objective: the link function for sums, and the conversion of `base_score` from the space of results to sums. */
interface Objective {
  readonly link: Link | 'softmax';
  readonly isClass?: true;
  readonly toSum?: (score: number) => number;
}

const logit = (p: number): number => -Math.log(1 / p - 1);

const NUMBERS: Objective = { link: 'identity' };
const POSITIVE: Objective = { link: 'exp', toSum: Math.log };
const CLASSES: Objective = { link: 'softmax', isClass: true };

const OBJECTIVES: Readonly<Record<string, Objective>> = {
  'reg:squarederror': NUMBERS,
  'reg:linear': NUMBERS,
  'reg:squaredlogerror': NUMBERS,
  'reg:pseudohubererror': NUMBERS,
  'reg:absoluteerror': NUMBERS,
  'reg:quantileerror': NUMBERS,
  'rank:pairwise': NUMBERS,
  'rank:ndcg': NUMBERS,
  'rank:map': NUMBERS,
  'reg:logistic': { link: 'logistic', toSum: logit },
  'binary:logistic': { link: 'logistic', toSum: logit, isClass: true },
  'binary:logitraw': NUMBERS,
  'binary:hinge': { link: 'positive' },
  'count:poisson': POSITIVE,
  'reg:gamma': POSITIVE,
  'reg:tweedie': POSITIVE,
  'survival:cox': POSITIVE,
  'survival:aft': POSITIVE,
  'multi:softmax': CLASSES,
  'multi:softprob': CLASSES,
};

/** Before 1.5, the base score of raw logits was a probability. */
const EARLIER: Readonly<Record<string, Objective>> = { 'binary:logitraw': { link: 'identity', toSum: logit } };

const isEarlier = (version: Field): boolean => {
  const [major = 0, minor = 0] = version.isThere ? version.numbers : [];
  return major < 1 || (major === 1 && minor < 5);
};

/**
 * Converts an XGBoost model saved as JSON or UBJSON (`save_model`) to ONNX: boosters gbtree and dart. Features are
 * float32 in training order, NaN if missing.
 * @throws SardonyxError INVALID_ARGUMENT if the file is invalid or uses unsupported features
 */
export async function fromXGBoost(source: DataSource, options: ForestOptions = {}): Promise<Model> {
  const bytes = await readWhole(source);
  const isText = /^\s*\{\s*["}]/.test(String.fromCharCode(...bytes.subarray(0, 64)));
  const file = isText ? parsed<object>(bytes, 'the model', withoutNaN) : fromUbjson(bytes);
  return toModel(forestIn(new Field(file, 'model'), options), options);
}

function forestIn(model: Field, { rounds }: ForestOptions): Forest {
  const learner = model.at('learner');
  const sizes = learner.at('learner_model_param');
  const name = learner.at('objective').at('name').text;
  const known = isEarlier(model.at('version')) ? { ...OBJECTIVES, ...EARLIER } : OBJECTIVES;
  const objective = (Object.hasOwn(known, name) ? known[name] : undefined) ?? refuse(`unsupported objective ${name}`);
  const booster = learner.at('gradient_booster');
  const kind = booster.at('name').text;
  if (kind !== 'gbtree' && kind !== 'dart') refuse(`unsupported booster ${kind}; expected gbtree or dart`);
  const trees = kind === 'dart' ? booster.at('gbtree').at('model') : booster.at('model');
  const weights = kind === 'dart' ? booster.at('weight_drop').numbers : [];
  const features = sizes.at('num_feature').size;
  const prepared = new Map<number, Preparation>();
  const [classes, given] = [sizes.at('num_class').size, sizes.at('num_target')];
  const targets = Math.max(classes, given.isThere ? given.size : 1, 1);
  const all = trees.at('trees').items;
  const infos = trees.at('tree_info').numbers;
  const parallel = trees.at('gbtree_model_param').at('num_parallel_tree');
  const perRound = Math.max(parallel.isThere ? parallel.size : 1, 1);
  if (targets > 1 && name === 'reg:quantileerror') refuse('reg:quantileerror with several quantiles is not supported');
  const isVector = all.some((tree) => leafWidth(tree) > 1);
  const wanted = all.slice(0, rounds === undefined ? all.length : rounds * perRound * (isVector ? 1 : targets));
  return {
    features,
    targets,
    trees: wanted.map((tree, i) => treeIn(tree, infos[i] ?? 0, weights[i] ?? 1, prepared)),
    base: baseOf(sizes.at('base_score'), targets, objective),
    outcome: outcomeOf(objective, targets),
    prepared,
  };
}

function outcomeOf({ link, isClass }: Objective, targets: number): Outcome {
  if (!isClass) return { kind: 'numbers', link: link as Link };
  const labels = Array.from({ length: Math.max(targets, 2) }, (_, i) => i);
  return { kind: 'classes', link: link as 'logistic' | 'softmax', labels };
}

/** The base score in the space of results: one number, or since 3.1 one for each target. */
function baseOf(field: Field, targets: number, { toSum = (x) => x }: Objective): number[] {
  const scores = field.text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((text) => new Field(text, field.path).number);
  if (scores.length !== 1 && scores.length !== targets) throw field.refused(`one number or ${targets} numbers`);
  return Array.from({ length: targets }, (_, i) => toSum(Math.fround(scores[scores.length === 1 ? 0 : i] as number)));
}

const leafWidth = (tree: Field): number => Math.max(tree.at('tree_param').at('size_leaf_vector').size, 1);

const CATEGORICAL = 1;

function treeIn(tree: Field, target: number, weight: number, prepared: Map<number, Preparation>): Tree {
  const column = (name: string) => tree.at(name).numbers;
  const [lefts, rights] = [column('left_children'), column('right_children')];
  const [features, values, defaults] = [column('split_indices'), column('split_conditions'), column('default_left')];
  const types = tree.at('split_type').isThere ? column('split_type') : [];
  const sets = setsIn(tree);
  const leafOf = leavesIn(tree, target, weight);
  return lefts.map((left, i): TreeNode => {
    if (left === -1) return leafOf(i);
    const [right, feature] = [rights[i] as number, features[i] as number];
    const goesLeft = Boolean(defaults[i]);
    if (types[i] !== CATEGORICAL)
      return {
        feature,
        test: { mode: 'BRANCH_LT', value: values[i] as number },
        yes: left,
        no: right,
        missing: goesLeft ? 'yes' : 'no',
      };
    prepared.set(feature, 'floor');
    return {
      feature,
      test: { mode: 'BRANCH_MEMBER', values: sets.get(i) ?? [] },
      yes: right,
      no: left,
      missing: goesLeft ? 'no' : 'yes',
    };
  });
}

/** The categories for which a node branches right. */
function setsIn(tree: Field): ReadonlyMap<number, readonly number[]> {
  if (!tree.at('categories_nodes').isThere) return new Map();
  const [nodes, begins] = [tree.at('categories_nodes').numbers, tree.at('categories_segments').numbers];
  const [sizes, categories] = [tree.at('categories_sizes').numbers, tree.at('categories').numbers];
  return new Map(
    nodes.map((node, i) => {
      const begin = begins[i] as number;
      return [node, categories.slice(begin, begin + (sizes[i] as number))];
    }),
  );
}

/** The value of a leaf. It is stored as the split condition, or in a separate list if there are several targets. */
function leavesIn(tree: Field, target: number, weight: number): (node: number) => Leaf {
  const width = leafWidth(tree);
  if (width === 1) {
    const values = tree.at('split_conditions').numbers;
    return (node) => new Map([[target, (values[node] as number) * weight]]);
  }
  const own = tree.at('leaf_weights');
  const rights = tree.at('right_children').numbers;
  const values = (own.isThere ? own : tree.at('base_weights')).numbers;
  return (node) => {
    const begin = (own.isThere ? (rights[node] as number) : node) * width;
    return new Map(Array.from({ length: width }, (_, i) => [i, (values[begin + i] as number) * weight]));
  };
}
