import { float, floats } from '../../../../src/builder/index.js';
import type { Case } from './case.js';

const f32 = 'float32';
const ml = (op: string, rest: Partial<Case>): Case => ({
  op: `ai.onnx.ml:${op}`,
  dims: [[2, 3]],
  element: f32,
  ...rest,
});

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
];
