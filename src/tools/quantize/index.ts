export type { ByteType, DynamicType, QuantizeDynamicOptions } from './dynamic/options.js';
export { quantizeDynamic } from './dynamic/quantize-dynamic.js';
export type { NamePattern } from './names.js';
export type { QuantizeProgress } from './progress.js';
export { adaRound } from './repair/ada-round.js';
export { correctBias } from './repair/correct-bias.js';
export { type EqualizeOptions, equalize } from './repair/equalize.js';
export {
  type ActivationError,
  type QuantizationError,
  quantizationError,
  type WeightError,
} from './repair/quantization-error.js';
export { type SmoothOptions, smooth } from './repair/smooth.js';
export type { Samples } from './weights/gram-matrices.js';
export type {
  Bits,
  QuantizeWeightsOptions,
  WeightFormat,
  WeightMethod,
} from './weights/options.js';
export { quantizeWeights } from './weights/quantize-weights.js';
