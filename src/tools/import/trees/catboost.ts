import type { DataSource } from '../../../loading/source.js';
import type { Model } from '../../../model/document/model.js';
import { parsed } from '../json.js';
import { readWhole } from '../read-whole.js';
import { Field, refuse } from './fields.js';
import type { Forest, ForestOptions, Leaf, Link, Outcome, Split, Tree, TreeNode } from './forest.js';
import { toModel } from './to-model.js';

/** Loss functions of classifiers. `LOGARITHMS` lists the other ones whose sums are logarithms. */
const CLASSES: Readonly<Record<string, 'logistic' | 'softmax'>> = {
  Logloss: 'logistic',
  CrossEntropy: 'logistic',
  MultiClass: 'softmax',
  MultiClassOneVsAll: 'logistic',
};
const LOGARITHMS = ['Poisson', 'Tweedie'];

/**
 * Converts a CatBoost model saved as JSON (`save_model(format='json')`) to ONNX: symmetric and non-symmetric trees with
 * numeric features. Poisson and Tweedie return what CatBoost calls Exponent.
 * @throws SardonyxError INVALID_ARGUMENT if the file is invalid or uses unsupported features
 */
export async function fromCatBoost(source: DataSource, options: ForestOptions = {}): Promise<Model> {
  const file = parsed<object>(await readWhole(source), 'the model');
  return toModel(forestIn(new Field(file, 'model'), options), options);
}

/** The index of a feature among all, and whether missing values count as above all borders. */
interface Feature {
  readonly place: number;
  readonly missing: 'yes' | 'no';
}

function forestIn(model: Field, { rounds }: ForestOptions): Forest {
  const oblivious = model.at('oblivious_trees');
  const { features, count } = featuresIn(model.at('features_info'));
  const [scale, bias] = model.at('scale_and_bias').isThere
    ? [model.at('scale_and_bias').at(0).number, listIn(model.at('scale_and_bias').at(1))]
    : [1, [0]];
  const all = oblivious.isThere ? oblivious.items : model.at('trees').items;
  const treeOf = oblivious.isThere ? symmetric : branching;
  const trees = all.slice(0, rounds).map((tree) => treeOf(tree, features, scale));
  const targets = Math.max(bias.length, ...trees.flat().map((node) => (node instanceof Map ? node.size : 1)));
  const base = Array.from({ length: targets }, (_, i) => bias[bias.length === 1 ? 0 : i] as number);
  return {
    features: count,
    targets,
    trees,
    base,
    outcome: outcomeOf(model.at('model_info'), targets),
    prepared: new Map(),
  };
}

/** A number, or a list of them. */
const listIn = (field: Field): number[] => (Array.isArray(field.value) ? field.numbers : [field.number]);

function featuresIn(infos: Field): { readonly features: readonly Feature[]; readonly count: number } {
  const numeric = infos.at('float_features').isThere ? infos.at('float_features').items : [];
  const others = ['categorical_features', 'text_features', 'embedding_features'].flatMap((kind) =>
    infos.at(kind).isThere ? infos.at(kind).items : [],
  );
  const placeOf = (info: Field) => info.at('flat_feature_index').size;
  const features = numeric.map((info): Feature => {
    const treatment = info.at('nan_value_treatment');
    return { place: placeOf(info), missing: treatment.value === 'AsTrue' ? 'yes' : 'no' };
  });
  return { features, count: 1 + Math.max(0, ...[...numeric, ...others].map(placeOf)) };
}

function outcomeOf(info: Field, targets: number): Outcome {
  const type = info.at('params').at('loss_function').at('type');
  const loss = type.isThere ? type.text : 'RMSE';
  if (!Object.hasOwn(CLASSES, loss))
    return { kind: 'numbers', link: (LOGARITHMS.includes(loss) ? 'exp' : 'identity') satisfies Link };
  const named = ['class_params', 'multiclass_params'].map((name) => info.at(name).at('class_names'));
  const names = named.find(({ value }) => Array.isArray(value) && value.length > 0)?.value as (number | string)[];
  const labels = names ?? Array.from({ length: Math.max(targets, 2) }, (_, i) => i);
  if (labels.length !== Math.max(targets, 2))
    refuse(`expected ${Math.max(targets, 2)} class names, got ${labels.length}`);
  return { kind: 'classes', link: CLASSES[loss] as 'logistic' | 'softmax', labels };
}

/** The test of a split: whether a feature is above a border. */
function testIn(split: Field, features: readonly Feature[]): Omit<Split, 'yes' | 'no'> {
  const type = split.at('split_type');
  if (type.isThere && type.value !== 'FloatFeature')
    refuse(`${split.path}: splits of type ${type.value} are not supported, only FloatFeature`);
  const index = split.at('float_feature_index');
  const feature = features[index.size];
  if (!feature) throw index.refused('an index of float_features');
  const value = Math.fround(split.at('border').number);
  return { feature: feature.place, test: { mode: 'BRANCH_GT', value }, missing: feature.missing };
}

const leafOf = (values: readonly number[], scale: number): Leaf =>
  new Map(values.map((value, i) => [i, value * scale]));

const DEEPEST = 16;

/** All nodes of a level have the same test. Bit i of a leaf's index is the result of split i. */
function symmetric(tree: Field, features: readonly Feature[], scale: number): Tree {
  const tests = (tree.at('splits').value === null ? [] : tree.at('splits').items).map((split) =>
    testIn(split, features),
  );
  if (tests.length > DEEPEST) throw tree.at('splits').refused(`a list of at most ${DEEPEST} splits`);
  const values = tree.at('leaf_values').numbers;
  const count = 2 ** tests.length;
  const width = values.length / count;
  if (!Number.isInteger(width) || width === 0) throw tree.at('leaf_values').refused(`values for ${count} leaves`);
  const nodes: TreeNode[] = [];
  // The last split becomes the root, so that leaves keep their order.
  for (const test of tests.toReversed())
    for (let i = 0, wide = nodes.length + 1; i < wide; i++) {
      const here = nodes.length;
      nodes.push({ ...test, no: 2 * here + 1, yes: 2 * here + 2 });
    }
  for (let leaf = 0; leaf < count; leaf++) nodes.push(leafOf(values.slice(leaf * width, (leaf + 1) * width), scale));
  return nodes;
}

function branching(root: Field, features: readonly Feature[], scale: number): Tree {
  const nodes: TreeNode[] = [];
  const open = [root];
  // Children are appended after all known nodes.
  for (let i = 0; i < open.length; i++) {
    const node = open[i] as Field;
    if (node.at('value').isThere) nodes.push(leafOf(listIn(node.at('value')), scale));
    else {
      nodes.push({ ...testIn(node.at('split'), features), no: open.length, yes: open.length + 1 });
      open.push(node.at('left'), node.at('right'));
    }
  }
  return nodes;
}
