export {
  type MixedPrecision,
  type MixedPrecisionOptions,
  mixedPrecision,
  type Outputs,
  type Tolerance,
} from './mixed-precision.js';
export type { ClampedWeight, Float16Options, Float16Report, HalfType, KeptNode } from './options.js';
export { type Float16Model, toFloat16 } from './to-float16.js';
