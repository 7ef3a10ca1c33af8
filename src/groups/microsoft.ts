// What onnxruntime has beyond ONNX.

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/microsoft/beam-search.js';
export * from '../ops/microsoft/dynamic-quantize-lstm.js';
export * from '../ops/microsoft/gather-block-quantized.js';
export * from '../ops/microsoft/gelu.js';
export * from '../ops/microsoft/greedy-search.js';
export * from '../ops/microsoft/integer-arithmetic.js';
export * from '../ops/microsoft/mat-mul-bnb4.js';
export * from '../ops/microsoft/mat-mul-integer-to-float.js';
export * from '../ops/microsoft/nhwc-max-pool.js';
export * from '../ops/microsoft/q-gemm.js';
export * from '../ops/microsoft/q-moe.js';
export * from '../ops/microsoft/qlinear-activations.js';
export * from '../ops/microsoft/qlinear-arithmetic.js';
export * from '../ops/microsoft/qlinear-concat.js';
export * from '../ops/microsoft/qlinear-conv.js';
export * from '../ops/microsoft/qlinear-pool.js';
export * from '../ops/microsoft/qlinear-softmax.js';
export * from '../ops/microsoft/qlinear-where.js';
export * from '../ops/microsoft/quantize-linear.js';
export * from '../ops/microsoft/sampling.js';
export * from '../ops/microsoft/whisper-beam-search.js';
export { quantizedRecurrentOperator } from '../primitives/quantized-recurrent.js';
