// Rare activations.
export * from '../ops/onnx/math/hardmax.js';
export * from '../ops/onnx/math/prelu.js';
export * from '../ops/onnx/nn/shrink.js';
