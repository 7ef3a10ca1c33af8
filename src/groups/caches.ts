// Attention with KV caches.
export { quantized as kernelSet } from '../../bindings/quantized.js';
export { lowerings } from '../backends/wasm/lower/caches.js';
export * from '../ops/onnx/nn/attention.js';
export { cachedAttentionOperator } from '../primitives/cached-attention.js';
export { checkedLengthsOperator } from '../primitives/checked-lengths.js';
export { narrowRowsOperator } from '../primitives/narrow-rows.js';
export { writeRowsOperator } from '../primitives/write-rows.js';
