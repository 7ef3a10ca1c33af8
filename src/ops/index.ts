// Every operator that is always there: one line per file. The others are in src/groups. The registry, the coverage table and the test matrix are derived from these.

export * from './generator/constant.js';
export * from './generator/constant-of-shape.js';
export * from './logical/comparison.js';
export * from './logical/connective.js';
export * from './logical/is-nan.js';
export * from './math/activations.js';
export * from './math/arithmetic.js';
export * from './math/broadcast-at-axis.js';
export * from './math/clip.js';
export * from './math/fused-elementwise.js';
export * from './math/gemm.js';
export * from './math/mat-mul.js';
export * from './math/mod.js';
export * from './math/pow.js';
export * from './math/softmax.js';
export * from './math/unary.js';
export * from './math/variadic.js';
export * from './nn/batch-normalization.js';
export * from './nn/conv.js';
export * from './nn/fused-attention.js';
export * from './nn/global-pool.js';
export {
  layerNormalization,
  plainLayerNormalization,
  plainRmsNormalization,
  rmsNormalization,
  simplifiedLayerNormalization,
} from './nn/layer-normalization.js';
export * from './nn/pool.js';
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
} from './reduction/reduce.js';
export * from './tensor/cast.js';
export * from './tensor/cast-like.js';
export * from './tensor/concat.js';
export * from './tensor/expand.js';
export * from './tensor/flatten.js';
export * from './tensor/gather.js';
export * from './tensor/identity.js';
export * from './tensor/reshape.js';
export * from './tensor/shape.js';
export { slice } from './tensor/slice.js';
export { split } from './tensor/split.js';
export * from './tensor/squeeze.js';
export { transpose } from './tensor/transpose.js';
export * from './tensor/unsqueeze.js';
export * from './tensor/where.js';
