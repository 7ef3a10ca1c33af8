// Losses.
export * from '../ops/onnx/nn/loss.js';
