import type { DataSource } from '../../../loading/source.js';
import type { Model } from '../../../model/document/model.js';
import { readWhole } from '../read-whole.js';
import { Field, refuse } from './fields.js';
import type { Forest, ForestOptions, Leaf, Link, Outcome, Preparation, Split, Tree } from './forest.js';
import { toModel } from './to-model.js';

const LINKS: Readonly<Record<string, Link>> = {
  regression: 'identity',
  regression_l1: 'identity',
  huber: 'identity',
  fair: 'identity',
  quantile: 'identity',
  mape: 'identity',
  lambdarank: 'identity',
  rank_xendcg: 'identity',
  custom: 'identity',
  none: 'identity',
  poisson: 'exp',
  gamma: 'exp',
  tweedie: 'exp',
  cross_entropy: 'logistic',
  cross_entropy_lambda: 'softplus',
};

const CLASSES: Readonly<Record<string, 'logistic' | 'softmax'>> = {
  binary: 'logistic',
  multiclass: 'softmax',
  multiclassova: 'logistic',
};

/**
 * Converts a LightGBM model saved as text (`save_model`) to ONNX. Features are float32 in training order; each float32
 * takes the same branches as in LightGBM.
 * @throws SardonyxError INVALID_ARGUMENT if the file is invalid or uses unsupported features
 */
export async function fromLightGBM(source: DataSource, options: ForestOptions = {}): Promise<Model> {
  const text = new TextDecoder().decode(await readWhole(source));
  return toModel(forestIn(text, options), options);
}

/** Lines of the form `name=value`, or a name alone. */
const fieldsIn = (text: string, path: string): Field =>
  new Field(
    Object.fromEntries(
      text.split(/\r?\n/).map((line) => {
        const at = line.indexOf('=');
        return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
      }),
    ),
    path,
  );

function forestIn(text: string, { rounds }: ForestOptions): Forest {
  const [head = '', ...blocks] = (text.split(/\r?\nend of trees/)[0] as string).split(/\r?\n(?=Tree=\d)/);
  if (!/^tree\r?\n/.test(head)) refuse('not a LightGBM model: the first line must be "tree"');
  const model = fieldsIn(head, 'model');
  const perRound = model.at('num_tree_per_iteration').size;
  const objective = model.at('objective').isThere ? model.at('objective').text : 'none';
  const [name = '', ...parameters] = objective.split(' ');
  const parameter = (key: string) => parameters.find((p) => p.startsWith(`${key}:`))?.slice(key.length + 1);
  const wanted = blocks.slice(0, rounds === undefined ? blocks.length : rounds * perRound);
  const steepness = new Field(parameter('sigmoid') ?? 1, 'objective.sigmoid').number;
  const isMean = model.at('average_output').isThere;
  const scale = steepness / (isMean ? Math.max(wanted.length / perRound, 1) : 1);
  const prepared = new Map<number, Preparation>();
  return {
    features: model.at('max_feature_idx').size + 1,
    targets: perRound,
    trees: wanted.map((block, i) => treeIn(fieldsIn(block, `tree ${i}`), i % perRound, scale, prepared)),
    base: new Array<number>(perRound).fill(0),
    outcome: outcomeOf(name, parameters, perRound),
    prepared,
  };
}

function outcomeOf(name: string, parameters: readonly string[], targets: number): Outcome {
  if (Object.hasOwn(CLASSES, name)) {
    const labels = Array.from({ length: Math.max(targets, 2) }, (_, i) => i);
    return { kind: 'classes', link: CLASSES[name] as 'logistic' | 'softmax', labels };
  }
  if (!Object.hasOwn(LINKS, name)) refuse(`unsupported objective ${name}`);
  return { kind: 'numbers', link: parameters.includes('sqrt') ? 'signed square' : (LINKS[name] as Link) };
}

/** Numbers separated by spaces. */
const numbersAt = (tree: Field, name: string): number[] => {
  const text = tree.at(name).text.trim();
  return text === '' ? [] : text.split(/\s+/).map((item) => new Field(item, `${tree.path}.${name}`).number);
};

/** Bits of `decision_type`. */
const CATEGORICAL = 1;
const DEFAULT_LEFT = 2;
const missingOf = (decision: number): 'never' | 'zero' | 'nan' =>
  (['never', 'zero', 'nan'] as const)[(decision >> 2) & 3] ?? refuse(`unknown decision_type ${decision}`);

function treeIn(tree: Field, target: number, scale: number, prepared: Map<number, Preparation>): Tree {
  if (tree.at('is_linear').isThere && tree.at('is_linear').number !== 0)
    refuse(`${tree.path}: linear leaves are not supported`);
  const values = numbersAt(tree, 'leaf_value');
  const leaves = values.map((value): Leaf => new Map([[target, value * scale]]));
  if (values.length <= 1) return leaves;
  const [features, thresholds] = [numbersAt(tree, 'split_feature'), numbersAt(tree, 'threshold')];
  const [lefts, rights] = [numbersAt(tree, 'left_child'), numbersAt(tree, 'right_child')];
  const decisions = numbersAt(tree, 'decision_type');
  const sets = setsIn(tree);
  const place = (child: number | undefined) =>
    child === undefined ? Number.NaN : child < 0 ? lefts.length + ~child : child;
  const splits = lefts.map((_, i): Split => {
    const [feature, decision] = [features[i] as number, decisions[i] as number];
    const ways = { feature, yes: place(lefts[i]), no: place(rights[i]) };
    const threshold = thresholds[i] as number;
    if (decision & CATEGORICAL) {
      prepare(prepared, feature, 'truncate');
      return { ...ways, test: { mode: 'BRANCH_MEMBER', values: sets[threshold] ?? [] }, missing: 'no' };
    }
    const missing = missingOf(decision);
    if (missing === 'zero') prepare(prepared, feature, 'zero is missing');
    const value = floor32(threshold);
    const goesLeft = missing === 'never' ? 0 <= value : (decision & DEFAULT_LEFT) > 0;
    return { ...ways, test: { mode: 'BRANCH_LEQ', value }, missing: goesLeft ? 'yes' : 'no' };
  });
  return [...splits, ...leaves];
}

function prepare(prepared: Map<number, Preparation>, feature: number, how: Preparation): void {
  const before = prepared.get(feature) ?? how;
  if (before !== how) refuse(`feature ${feature} has two different ways of handling missing values`);
  prepared.set(feature, how);
}

/** The largest float32 that is not above `x`: the same float32 values compare as less or equal. */
function floor32(x: number): number {
  const nearest = Math.fround(x);
  if (!(nearest > x)) return nearest;
  if (nearest === 0) return -(2 ** -149);
  const float = Float32Array.of(nearest);
  const word = new Int32Array(float.buffer);
  word[0] = (word[0] as number) + (nearest > 0 ? -1 : 1);
  return float[0] as number;
}

/** The categories of each set, where bit i of word w is category 32 · w + i. */
function setsIn(tree: Field): number[][] {
  if (!tree.at('num_cat').isThere || tree.at('num_cat').number === 0) return [];
  const [bounds, words] = [numbersAt(tree, 'cat_boundaries'), numbersAt(tree, 'cat_threshold')];
  return bounds.slice(1).map((end, i) => {
    const own = words.slice(bounds[i], end);
    return own.flatMap((word, w) =>
      Array.from({ length: 32 }, (_, bit) => bit).flatMap((bit) => ((word >>> bit) & 1 ? [w * 32 + bit] : [])),
    );
  });
}
