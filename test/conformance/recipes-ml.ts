import type { ElementType } from '../../src/tensor/element-types.js';
import { given } from './filled.js';
import { type Attributes, type Combination, isFloating, isString, type Recipe } from './recipe.js';
import { elementOf } from './schemas.js';

const weights = { target_ids: [0], target_nodeids: [1], target_treeids: [0], target_weights: [1.5] };
const tree = (target: 'class' | 'target'): Attributes => ({
  nodes_treeids: [0, 0, 0],
  nodes_nodeids: [0, 1, 2],
  nodes_featureids: [0, 0, 0],
  nodes_modes: ['BRANCH_LEQ', 'LEAF', 'LEAF'],
  nodes_values: { type: 'floats', value: [0.5, 0, 0] },
  nodes_truenodeids: [1, 0, 0],
  nodes_falsenodeids: [2, 0, 0],
  ...Object.fromEntries(Object.entries(weights).map(([name, value]) => [name.replace('target', target), value])),
  n_targets: 1,
});
const classLabels = (c: Combination): Attributes =>
  isString(c, 'T2') ? { classlabels_strings: ['a', 'b'] } : { classlabels_ints: [0, 1], classlabels_int64s: [0, 1] };
const machine: Attributes = {
  kernel_type: 'LINEAR',
  kernel_params: { type: 'floats', value: [1, 0, 1] },
  coefficients: { type: 'floats', value: [1, -1] },
  rho: { type: 'floats', value: [0.5] },
  support_vectors: { type: 'floats', value: [1, 2, 3, 3, 2, 1] },
};

const KEYS: Partial<Record<ElementType, string>> = { string: 'strings', int64: 'int64s', float32: 'floats' };
/** LabelEncoder's keys or values, as a list where there is one for the type. */
function labels(which: 'keys' | 'values', type: string): Attributes {
  const element = elementOf(type);
  const [a, b] = element === 'string' ? ['1', '2'] : [1, 2];
  const list = KEYS[element];
  return list ? { [`${which}_${list}`]: [a, b] as number[] } : { [`${which}_tensor`]: given([2], 1, 2).of(element) };
}

/** Operators of ai.onnx.ml. */
export const ML_RECIPES: Readonly<Record<string, Recipe>> = {
  ArrayFeatureExtractor: { inputs: [[2, 3], given([1], 0)] },
  CastMap: {
    attributes: (c) => ({
      cast_to: { string: 'TO_STRING', float32: 'TO_FLOAT', int64: 'TO_INT64' }[
        elementOf(c.types.T2 as string) as 'string'
      ],
    }),
  },
  CategoryMapper: {
    attributes: { cats_strings: ['1', '2'], cats_int64s: [1, 2] },
    types: (t) => ({ ...t, T2: t.T1 === 'tensor(string)' ? 'tensor(int64)' : 'tensor(string)' }),
  },
  DictVectorizer: {
    attributes: (c) =>
      c.types.T1?.startsWith('map(string') ? { string_vocabulary: ['1', '2'] } : { int64_vocabulary: [1, 2] },
    types: (t) => ({ ...t, T2: `tensor(${/,\s*(\w+)/.exec(t.T1 as string)?.[1]})` }),
  },
  FeatureVectorizer: { attributes: { inputdimensions: [3, 3] } },
  Imputer: {
    attributes: (c) =>
      isFloating(c, 'T') ? { imputed_value_floats: [1.5] } : { imputed_value_int64s: [1], replaced_value_int64: 0 },
  },
  LabelEncoder: {
    attributes: (c) =>
      c.schema.since < 2
        ? { classes_strings: ['1', '2'] }
        : { ...labels('keys', c.types.T1 as string), ...labels('values', c.types.T2 as string) },
    types: (t, { since }) =>
      since < 2 ? { T1: t.T1 as string, T2: t.T1 === 'tensor(string)' ? 'tensor(int64)' : 'tensor(string)' } : t,
  },
  LinearClassifier: {
    attributes: (c) => ({ coefficients: [1, 2, 3, 3, 2, 1], intercepts: [0, 1], ...classLabels(c) }),
    outputs: 2,
  },
  LinearRegressor: { attributes: { coefficients: [1, 2, 3] } },
  OneHotEncoder: { attributes: (c) => (isString(c, 'T') ? { cats_strings: ['1', '2'] } : { cats_int64s: [1, 2] }) },
  SVMClassifier: {
    attributes: (c) => ({ ...machine, vectors_per_class: [1, 1], ...classLabels(c) }),
    outputs: 2,
  },
  SVMRegressor: { attributes: { ...machine, n_supports: 2 } },
  Scaler: { attributes: { scale: [2], offset: [1] } },
  TreeEnsemble: {
    attributes: (c) => ({
      leaf_targetids: [0, 0],
      leaf_weights: given([2], 1, 2).of(elementOf(c.types.T as string)),
      nodes_falseleafs: [1],
      nodes_falsenodeids: [1],
      nodes_featureids: [0],
      nodes_modes: given([1], 0).of('uint8'),
      nodes_splits: given([1], 1).of(elementOf(c.types.T as string)),
      nodes_trueleafs: [1],
      nodes_truenodeids: [0],
      tree_roots: [0],
      n_targets: 1,
    }),
  },
  TreeEnsembleClassifier: { attributes: (c) => ({ ...tree('class'), ...classLabels(c) }), outputs: 2 },
  TreeEnsembleRegressor: { attributes: tree('target') },
  ZipMap: {
    inputs: [[2, 2]],
    attributes: (c) =>
      c.types.T?.includes('string') ? { classlabels_strings: ['1', '2'] } : { classlabels_int64s: [1, 2] },
  },
};
