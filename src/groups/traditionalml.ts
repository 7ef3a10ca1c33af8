// The operators of domain ai.onnx.ml.

export { treeEnsembles as lowerings } from '../backends/wasm/lower/tree-ensemble.js';
export * from '../ops/ml/array-feature-extractor.js';
export * from '../ops/ml/binarizer.js';
export * from '../ops/ml/category-mapper.js';
export * from '../ops/ml/feature-vectorizer.js';
export * from '../ops/ml/imputer.js';
export * from '../ops/ml/label-encoder.js';
export * from '../ops/ml/linear.js';
export * from '../ops/ml/maps.js';
export * from '../ops/ml/normalizer.js';
export * from '../ops/ml/one-hot-encoder.js';
export * from '../ops/ml/scaler.js';
export * from '../ops/ml/score-transform.js';
export * from '../ops/ml/svm.js';
export { treeEnsemble, treeEnsembleClassifier, treeEnsembleRegressor } from '../ops/ml/tree-ensemble.js';
export * from '../ops/ml/zip-map.js';
export { treeEnsembleOperator, treeRegressorOperator } from '../primitives/tree-operators.js';
