// Operators that are always loaded, one line per file. The others are in src/groups. The registry, the coverage table and the test matrix
// are derived from these.

export { attentionOperator } from '../primitives/attention.js';
export { convOperator } from '../primitives/conv.js';
export { fusedElementwise } from '../primitives/fused-elementwise.js';
export { globalPoolOperators } from '../primitives/global-pool.js';
export { plainLayerNormalization } from '../primitives/layer-norm.js';
export { matMulOperator } from '../primitives/matmul.js';
export { poolOperators } from '../primitives/pool.js';
export { plainRmsNormalization } from '../primitives/rms-norm.js';

export * from './onnx/generator/constant.js';
export * from './onnx/generator/constant-of-shape.js';
export * from './onnx/logical/comparison.js';
export * from './onnx/logical/connective.js';
export * from './onnx/logical/is-nan.js';
export * from './onnx/math/activations.js';
export * from './onnx/math/arithmetic.js';
export * from './onnx/math/broadcast-at-axis.js';
export * from './onnx/math/clip.js';
export * from './onnx/math/gemm.js';
export * from './onnx/math/mat-mul.js';
export * from './onnx/math/mod.js';
export * from './onnx/math/pow.js';
export * from './onnx/math/softmax.js';
export * from './onnx/math/unary.js';
export * from './onnx/math/variadic.js';
export * from './onnx/nn/conv.js';
export * from './onnx/nn/global-pool.js';
export * from './onnx/nn/layer-normalization.js';
export * from './onnx/nn/pool.js';
export * from './onnx/nn/rms-normalization.js';
export {
  reduceL1,
  reduceL2,
  reduceLogSum,
  reduceLogSumExp,
  reduceMax,
  reduceMean,
  reduceMin,
  reduceProd,
  reduceSum,
  reduceSumSquare,
} from './onnx/reduction/reduce.js';
export * from './onnx/tensor/cast.js';
export * from './onnx/tensor/cast-like.js';
export * from './onnx/tensor/concat.js';
export * from './onnx/tensor/expand.js';
export * from './onnx/tensor/flatten.js';
export * from './onnx/tensor/gather.js';
export * from './onnx/tensor/identity.js';
export * from './onnx/tensor/reshape.js';
export * from './onnx/tensor/shape.js';
export * from './onnx/tensor/slice.js';
export * from './onnx/tensor/split.js';
export * from './onnx/tensor/squeeze.js';
export * from './onnx/tensor/transpose.js';
export * from './onnx/tensor/unsqueeze.js';
export * from './onnx/tensor/where.js';
