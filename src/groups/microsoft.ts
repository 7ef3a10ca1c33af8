// What onnxruntime has beyond ONNX.

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/microsoft/gelu.js';
export * from '../ops/microsoft/mat-mul-n-bits.js';
