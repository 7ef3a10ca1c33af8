// What onnxruntime has beyond ONNX.
export { convTransposeWithDynamicPads } from '../ops/microsoft/conv-transpose-with-dynamic-pads.js';
export { expandDims } from '../ops/microsoft/expand-dims.js';
export { fusedConv } from '../ops/microsoft/fused-conv.js';
export { fusedGemm } from '../ops/microsoft/fused-gemm.js';
export * from '../ops/microsoft/fused-mat-mul.js';
export * from '../ops/microsoft/gather-nd.js';
export * from '../ops/microsoft/gelu.js';
export * from '../ops/microsoft/grid-sample.js';
export * from '../ops/microsoft/mat-mul-integer16.js';
export * from '../ops/microsoft/pad.js';
export * from '../ops/microsoft/range.js';
export * from '../ops/microsoft/sample-op.js';
export * from '../ops/microsoft/trilu.js';
export { unfoldTensor } from '../ops/microsoft/unfold-tensor.js';
export * from '../ops/microsoft/unique.js';
