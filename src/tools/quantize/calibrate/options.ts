import { SardonyxError } from '../../../base/errors.js';
import { shown } from '../../../base/shown.js';
import { oneOf } from '../one-of.js';
import type { QuantizeProgress } from '../progress.js';
import { CALIBRATIONS, type CalibrationMethod } from './ranges.js';

export interface CalibrateOptions {
  /** `minmax` if left out. */
  readonly method?: CalibrationMethod;
  /** `average`: how far a sample moves the ends towards its own, 0 … 1; if left out, all samples count alike. */
  readonly averaging?: number;
  /** `percentile`: how much of what a value was is in its range, 99.999 if left out. */
  readonly percentile?: number;
  /** Bins of a histogram, 2048 if left out. */
  readonly bins?: number;
  /** `entropy`: of how many levels a range is looked at, 128 if left out. */
  readonly levels?: number;
  /** Whether ranges are around 0; `percentile` is of absolute values then, as it is if left out. */
  readonly symmetric?: boolean;
  /** Whether histograms are read as onnxruntime reads them: 128 bins for `entropy`, which leave it one range to choose, and counts cut to integers. */
  readonly compatible?: boolean;
  /** Types of operators whose values are looked at, all if left out. */
  readonly types?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: QuantizeProgress) => void;
}

export interface CalibrationSettings extends CalibrateOptions {
  readonly method: CalibrationMethod;
  readonly percentile: number;
  readonly bins: number;
  readonly levels: number;
  readonly symmetric: boolean;
  readonly compatible: boolean;
}

export function calibrationSettingsOf(options: CalibrateOptions): CalibrationSettings {
  const { method = 'minmax', percentile = 99.999, levels = 128, compatible = false, averaging } = options;
  const { symmetric = method === 'percentile', bins = compatible && method === 'entropy' ? 128 : 2048 } = options;
  oneOf('method', method, CALIBRATIONS);
  within('percentile', percentile, 0, 100);
  within('averaging', averaging ?? 0, 0, 1);
  whole('levels', levels, 2);
  whole('bins', bins, method === 'entropy' ? levels : 2);
  return { ...options, method, percentile, bins, levels, symmetric, compatible };
}

function within(option: string, value: number, least: number, most: number): void {
  if (value >= least && value <= most) return;
  throw new SardonyxError('INVALID_ARGUMENT', `${option} must be from ${least} to ${most}, not ${shown(value)}`);
}

function whole(option: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= 2 ** 20) return;
  const message = `${option} must be a whole number from ${least} to ${2 ** 20}, not ${shown(value)}`;
  throw new SardonyxError('INVALID_ARGUMENT', message);
}
