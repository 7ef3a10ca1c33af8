export { calibrate } from './calibrate/calibrate.js';
export type { CalibrateOptions } from './calibrate/options.js';
export { type CalibrationMethod, parseRanges, type Ranges, toCalibrationCache } from './calibrate/ranges.js';
export type { ByteType, DynamicNotice, DynamicType, QuantizeDynamicOptions } from './dynamic/options.js';
export { quantizeDynamic } from './dynamic/quantize-dynamic.js';
export type { NamePattern, QuantizeProgress } from './options.js';
export type { IntegerType } from './static/integers.js';
export type { Override, QuantizeStaticOptions, StaticFormat } from './static/options.js';
export type { Range } from './static/parameters.js';
export { quantizeStatic } from './static/quantize-static.js';
export type { Samples } from './weights/gram-matrices.js';
export type {
  Bits,
  QuantizeWeightsOptions,
  WeightFormat,
  WeightMethod,
} from './weights/options.js';
export { quantizeWeights } from './weights/quantize-weights.js';
