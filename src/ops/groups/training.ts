// The operators of domain ai.onnx.preview.training, and those that derivatives are made of.
export * from '../training/adagrad.js';
export * from '../training/adam.js';
export * from '../training/conv-gradients.js';
export * from '../training/gradient.js';
export * from '../training/momentum.js';
export * from '../training/pool-gradients.js';
export * from '../training/reduce-to.js';
export * from '../training/region-gradients.js';
export * from '../training/sampling-gradients.js';
