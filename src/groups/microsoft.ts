// What onnxruntime has beyond ONNX.

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/microsoft/gelu.js';
