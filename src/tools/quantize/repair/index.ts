export { adaRound } from './ada-round.js';
export { correctBias } from './correct-bias.js';
export { type EqualizeOptions, equalize } from './equalize.js';
export {
  type ActivationError,
  type QuantizationError,
  quantizationError,
  type WeightError,
} from './quantization-error.js';
export type { Metric } from './score.js';
export { type Sensitivity, type SensitivityOptions, sensitivity } from './sensitivity.js';
export { type SmoothOptions, smooth } from './smooth.js';
export { quantizeRepaired, type Repaired, type RepairOptions, type Target } from './target.js';
export type { Repair } from './units.js';
