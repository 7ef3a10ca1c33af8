// What onnxruntime has beyond ONNX.

export { lengthChecks as lowerings } from '../backends/wasm/lower/filled-lengths.js';
export * from '../ops/microsoft/attention.js';
export * from '../ops/microsoft/biased-gelu.js';
export * from '../ops/microsoft/causal-conv-with-state.js';
export * from '../ops/microsoft/decoder-masked-multi-head-attention.js';
export * from '../ops/microsoft/embed-layer-normalization.js';
export * from '../ops/microsoft/gelu.js';
export * from '../ops/microsoft/group-query-attention.js';
export * from '../ops/microsoft/linear-attention.js';
export * from '../ops/microsoft/multi-head-attention.js';
export * from '../ops/microsoft/quantized-attention.js';
export * from '../ops/microsoft/quick-gelu.js';
export * from '../ops/microsoft/rotary-embedding.js';
export * from '../ops/microsoft/simplified-layer-normalization.js';
export * from '../ops/microsoft/skip-layer-normalization.js';
export { filledLengthsOperator } from '../primitives/filled-lengths.js';
