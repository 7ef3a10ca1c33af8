// Quantised tensors.
export * from '../quantization/conv-integer.js';
export * from '../quantization/dequantize-linear.js';
export * from '../quantization/dynamic-quantize-linear.js';
export * from '../quantization/mat-mul-integer.js';
export * from '../quantization/qlinear-conv.js';
export * from '../quantization/qlinear-mat-mul.js';
export * from '../quantization/quantize-linear.js';
