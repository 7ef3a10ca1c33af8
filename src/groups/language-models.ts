// Operators of language models, added in opset 23. Earlier exporters wrote them as several nodes.
export { quantized as kernelSet } from '../../bindings/quantized.js';
export { rotaries as lowerings } from '../backends/wasm/lower/rotary.js';
export * from '../ops/onnx/math/swiglu.js';
export * from '../ops/onnx/nn/rotary-embedding.js';
export * from '../ops/onnx/tensor/tensor-scatter.js';
export { rotaryOperator } from '../primitives/rotary.js';
