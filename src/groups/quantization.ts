// Quantised tensors.
import { nBitProducts } from '../backends/wasm/lower/n-bit-matmul.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/onnx/quantization/conv-integer.js';
export * from '../ops/onnx/quantization/dequantize-linear.js';
export * from '../ops/onnx/quantization/dynamic-quantize-linear.js';
export * from '../ops/onnx/quantization/mat-mul-integer.js';
export * from '../ops/onnx/quantization/qlinear-conv.js';
export * from '../ops/onnx/quantization/qlinear-mat-mul.js';
export * from '../ops/onnx/quantization/quantize-linear.js';
export { nBitMatMulOperator } from '../primitives/n-bit-matmul.js';

export const lowerings: Lowerings = { ...nBitProducts };
