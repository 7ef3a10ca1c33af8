// What language models are made of from opset 23 on; exporters wrote it in parts before.
export * from '../ops/onnx/math/swiglu.js';
export * from '../ops/onnx/nn/rotary-embedding.js';
export * from '../ops/onnx/tensor/tensor-scatter.js';
