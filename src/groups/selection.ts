// Selection, counting and reordering of elements and slices by another tensor.
import { argReductions } from '../backends/wasm/lower/arg-reduce.js';
import { selections } from '../backends/wasm/lower/top-k.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export * from '../ops/onnx/math/top-k.js';
export * from '../ops/onnx/reduction/arg-reduce.js';
export * from '../ops/onnx/tensor/compress.js';
export * from '../ops/onnx/tensor/non-zero.js';
export * from '../ops/onnx/tensor/one-hot.js';
export * from '../ops/onnx/tensor/reverse-sequence.js';
export * from '../ops/onnx/tensor/unique.js';

export const lowerings: Lowerings = { ...argReductions, ...selections };
