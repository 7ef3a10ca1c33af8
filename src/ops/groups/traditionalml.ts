// The operators of domain ai.onnx.ml.
export * from '../traditionalml/array-feature-extractor.js';
export * from '../traditionalml/binarizer.js';
export * from '../traditionalml/category-mapper.js';
export * from '../traditionalml/feature-vectorizer.js';
export * from '../traditionalml/imputer.js';
export * from '../traditionalml/label-encoder.js';
export * from '../traditionalml/linear.js';
export * from '../traditionalml/maps.js';
export * from '../traditionalml/normalizer.js';
export * from '../traditionalml/one-hot-encoder.js';
export * from '../traditionalml/scaler.js';
export * from '../traditionalml/score-transform.js';
export * from '../traditionalml/svm.js';
export * from '../traditionalml/tree-ensemble.js';
export * from '../traditionalml/zip-map.js';
