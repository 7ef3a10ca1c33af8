export type { QuantizeProgress } from './progress.js';
export type {
  Bits,
  NamePattern,
  QuantizeWeightsOptions,
  WeightFormat,
  WeightMethod,
} from './weights/options.js';
export { quantizeWeights } from './weights/quantize-weights.js';
