// What language models are made of from opset 23 on; exporters wrote it in parts before.
export * from '../math/swiglu.js';
export * from '../nn/attention.js';
export * from '../nn/rotary-embedding.js';
export * from '../tensor/tensor-scatter.js';
