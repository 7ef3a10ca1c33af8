// The operators of domain ai.onnx.ml.

export { treeEnsembles as lowerings } from '../backends/wasm/lower/tree-ensemble.js';
export * from '../ops/traditionalml/array-feature-extractor.js';
export * from '../ops/traditionalml/binarizer.js';
export * from '../ops/traditionalml/category-mapper.js';
export * from '../ops/traditionalml/feature-vectorizer.js';
export * from '../ops/traditionalml/imputer.js';
export * from '../ops/traditionalml/label-encoder.js';
export * from '../ops/traditionalml/linear.js';
export * from '../ops/traditionalml/maps.js';
export * from '../ops/traditionalml/normalizer.js';
export * from '../ops/traditionalml/one-hot-encoder.js';
export * from '../ops/traditionalml/scaler.js';
export * from '../ops/traditionalml/score-transform.js';
export * from '../ops/traditionalml/svm.js';
export { treeEnsemble, treeEnsembleClassifier, treeEnsembleRegressor } from '../ops/traditionalml/tree-ensemble.js';
export * from '../ops/traditionalml/zip-map.js';
