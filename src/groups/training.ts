// The operators of domain ai.onnx.preview.training, and the operators of derivatives.
export * from '../ops/training/adagrad.js';
export * from '../ops/training/adam.js';
export * from '../ops/training/conv-gradients.js';
export * from '../ops/training/gradient.js';
export * from '../ops/training/momentum.js';
export * from '../ops/training/pool-gradients.js';
export * from '../ops/training/reduce-to.js';
export * from '../ops/training/region-gradients.js';
export * from '../ops/training/sampling-gradients.js';
