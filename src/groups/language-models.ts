// What language models are made of from opset 23 on; exporters wrote it in parts before.
export * from '../ops/math/swiglu.js';
export * from '../ops/nn/attention.js';
export * from '../ops/nn/rotary-embedding.js';
export * from '../ops/tensor/tensor-scatter.js';
