// Quantized tensors.

import { byteArithmetics } from '../backends/wasm/lower/byte-arithmetic.js';
import { byteMaxPools } from '../backends/wasm/lower/byte-max-pool.js';
import { byteTables } from '../backends/wasm/lower/byte-table.js';
import { dynamicQuantizations } from '../backends/wasm/lower/dynamic-quantization.js';
import { integerConvolutions } from '../backends/wasm/lower/integer-conv.js';
import { integerProducts } from '../backends/wasm/lower/integer-matmul.js';
import { nBitGathers } from '../backends/wasm/lower/n-bit-gather.js';
import { nBitProductLowerings } from '../backends/wasm/lower/n-bit-matmul.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export { quantized as kernelSet } from '../../bindings/quantized.js';
export * from '../ops/onnx/quantization/conv-integer.js';
export * from '../ops/onnx/quantization/dequantize-linear.js';
export * from '../ops/onnx/quantization/dynamic-quantize-linear.js';
export * from '../ops/onnx/quantization/mat-mul-integer.js';
export * from '../ops/onnx/quantization/qlinear-conv.js';
export * from '../ops/onnx/quantization/qlinear-mat-mul.js';
export * from '../ops/onnx/quantization/quantize-linear.js';
export { byteArithmeticOperator } from '../primitives/byte-arithmetic.js';
export { byteMaxPoolOperator } from '../primitives/byte-max-pool.js';
export { byteTableOperator } from '../primitives/byte-table.js';
export { integerConvOperator } from '../primitives/integer-conv.js';
export { integerMatMulOperator } from '../primitives/integer-matmul.js';
export { nBitExpertsOperator } from '../primitives/n-bit-experts.js';
export { nBitGatherOperator } from '../primitives/n-bit-gather.js';
export { nBitMatMulOperator } from '../primitives/n-bit-matmul.js';
export { nBitProductsOperator } from '../primitives/n-bit-products.js';

export const lowerings: Lowerings = {
  ...byteArithmetics,
  ...byteMaxPools,
  ...byteTables,
  ...dynamicQuantizations,
  ...integerConvolutions,
  ...integerProducts,
  ...nBitGathers,
  ...nBitProductLowerings,
};
