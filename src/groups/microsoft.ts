// What onnxruntime has beyond ONNX.

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/microsoft/beam-search.js';
export * from '../ops/microsoft/gelu.js';
export * from '../ops/microsoft/greedy-search.js';
export * from '../ops/microsoft/sampling.js';
export * from '../ops/microsoft/whisper-beam-search.js';
