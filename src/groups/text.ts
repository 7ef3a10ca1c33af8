// Text.
export * from '../ops/onnx/text/regex-full-match.js';
export * from '../ops/onnx/text/string-concat.js';
export * from '../ops/onnx/text/string-normalizer.js';
export * from '../ops/onnx/text/string-split.js';
export * from '../ops/onnx/text/tf-idf-vectorizer.js';
