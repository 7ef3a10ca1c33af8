// Quantised tensors.

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/onnx/quantization/conv-integer.js';
export * from '../ops/onnx/quantization/dequantize-linear.js';
export * from '../ops/onnx/quantization/dynamic-quantize-linear.js';
export * from '../ops/onnx/quantization/mat-mul-integer.js';
export * from '../ops/onnx/quantization/qlinear-conv.js';
export * from '../ops/onnx/quantization/qlinear-mat-mul.js';
export * from '../ops/onnx/quantization/quantize-linear.js';
