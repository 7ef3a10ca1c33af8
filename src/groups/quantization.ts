// Quantised tensors.
export * from '../ops/quantization/conv-integer.js';
export * from '../ops/quantization/dequantize-linear.js';
export * from '../ops/quantization/dynamic-quantize-linear.js';
export * from '../ops/quantization/mat-mul-integer.js';
export * from '../ops/quantization/qlinear-conv.js';
export * from '../ops/quantization/qlinear-mat-mul.js';
export * from '../ops/quantization/quantize-linear.js';
