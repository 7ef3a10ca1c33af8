// Sequences and optional values.
export * from '../ops/onnx/optional/optional.js';
export * from '../ops/onnx/sequence/concat-from-sequence.js';
export * from '../ops/onnx/sequence/sequence-at.js';
export * from '../ops/onnx/sequence/sequence-construct.js';
export * from '../ops/onnx/sequence/sequence-insert.js';
export * from '../ops/onnx/sequence/sequence-map.js';
export * from '../ops/onnx/sequence/split-to-sequence.js';
