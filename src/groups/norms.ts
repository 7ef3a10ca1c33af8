// Normalizations other than those of transformers.
import { groupNormalizations } from '../backends/wasm/lower/group-normalization.js';
import { responseNormalizations } from '../backends/wasm/lower/lrn.js';
import type { Lowerings } from '../backends/wasm/lowering.js';

export { formerMeanVarianceNormalization } from '../ops/microsoft/former-mean-variance-normalization.js';
export * from '../ops/onnx/nn/batch-normalization.js';
export * from '../ops/onnx/nn/instance-normalization.js';
export * from '../ops/onnx/nn/lp-normalization.js';
export * from '../ops/onnx/nn/lrn.js';
export * from '../ops/onnx/nn/mean-variance-normalization.js';
export { groupNormalizationOperator, instanceNormalizationOperator } from '../primitives/group-normalization.js';
export { lrnOperator } from '../primitives/lrn.js';

export const lowerings: Lowerings = { ...groupNormalizations, ...responseNormalizations };
