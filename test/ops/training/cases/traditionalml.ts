import { float, floats } from '../../../../src/builder/index.js';
import type { Case } from './case.js';

const f32 = 'float32';
const ml = (op: string, rest: Partial<Case>): Case => ({
  op: `ai.onnx.ml:${op}`,
  dims: [[2, 3]],
  element: f32,
  ...rest,
});

/** One split with a leaf on either side. */
const STUMP = {
  n_targets: 1,
  nodes_treeids: [0, 0, 0],
  nodes_nodeids: [0, 1, 2],
  nodes_featureids: [1, 0, 0],
  nodes_modes: ['BRANCH_LT', 'LEAF', 'LEAF'],
  nodes_values: floats([5, 0, 0]),
  nodes_truenodeids: [1, 0, 0],
  nodes_falsenodeids: [2, 0, 0],
  target_treeids: [0, 0],
  target_nodeids: [1, 2],
  target_ids: [0, 0],
  target_weights: floats([1, 2]),
};

const SUPPORT = {
  n_supports: 2,
  coefficients: floats([0.7, -0.4]),
  rho: floats([0.3]),
  support_vectors: floats([0.1, 0.5, -0.3, 0.9, -0.2, 0.4]),
};

export const traditionalml: readonly Case[] = [
  ml('ArrayFeatureExtractor', { rest: [[2, 0, 2]] }),
  ml('Binarizer', { attributes: { threshold: 0.1 } }),
  ml('FeatureVectorizer', {
    dims: [
      [2, 3],
      [2, 2],
    ],
    attributes: { inputdimensions: [3, 2] },
  }),
  ml('Imputer', { attributes: { imputed_value_floats: floats([1, 2, 3]), replaced_value_float: float(7) } }),
  ml('LinearClassifier', {
    attributes: {
      coefficients: floats([1, 2, 3, -1, 0, 2]),
      intercepts: [0.1, 0.2],
      classlabels_ints: [0, 1],
      post_transform: 'SOFTMAX',
    },
    outputs: 2,
    checked: [1],
  }),
  ml('LinearRegressor', {
    attributes: { coefficients: floats([1, 2, 3, -1, 0, 2]), intercepts: [0.1, 0.2], targets: 2 },
  }),
  ...['MAX', 'L1', 'L2'].map((norm) => ml('Normalizer', { attributes: { norm }, range: [0.3, 2] })),
  ml('Scaler', { attributes: { offset: floats([1, 2, 3]), scale: floats([0.5, 2, -1]) } }),
  ml('LabelEncoder', {
    attributes: { keys_floats: floats([0.5]), values_floats: floats([2]), default_float: float(1) },
  }),
  ml('OneHotEncoder', { attributes: { cats_int64s: [0, 1], zeros: 1 } }),
  ml('TreeEnsembleRegressor', { attributes: STUMP }),
  ...['LINEAR', 'POLY', 'RBF', 'SIGMOID'].map((kernel_type) =>
    ml('SVMRegressor', { attributes: { ...SUPPORT, kernel_type, kernel_params: floats([0.4, 1.5, 3]) } }),
  ),
  ml('SVMRegressor', { attributes: { coefficients: floats([1, 2, 3]), rho: floats([0.3]) } }),
];
