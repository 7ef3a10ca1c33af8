import { SardonyxError } from '../../../base/errors.js';
import { shown } from '../../../base/shown.js';
import { oneOf } from '../one-of.js';
import type { QuantizeOptions } from '../options.js';
import { CALIBRATIONS, type CalibrationMethod } from './ranges.js';

/** Options of `calibrate`. */
export interface CalibrateOptions extends Pick<QuantizeOptions, 'signal' | 'onProgress'> {
  /** How to choose the range of a value. Default: `minmax`. */
  readonly method?: CalibrationMethod;
  /**
   * For `average`: how far each sample moves the range towards its own, from 0 to 1. Default: the mean of all samples.
   */
  readonly averaging?: number;
  /** For `percentile`: the percentage of a value's elements inside the range. Default: 99.999. */
  readonly percentile?: number;
  /** The number of bins of a histogram. Default: 2048. */
  readonly bins?: number;
  /** For `entropy`: the number of quantization levels of a candidate range. Default: 128. */
  readonly levels?: number;
  /**
   * Whether ranges are symmetric around 0; `percentile` then uses absolute values. Default: true for `percentile`,
   * otherwise false.
   */
  readonly symmetric?: boolean;
  /**
   * Whether to evaluate histograms exactly as onnxruntime does: `entropy` has 128 bins, which leaves a single candidate
   * range, and counts are truncated to integers.
   */
  readonly compatible?: boolean;
  /** The operators whose values are calibrated. Default: all. */
  readonly types?: readonly string[];
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
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `${option}: expected a number from ${least} to ${most}, got ${shown(value)}`,
  );
}

function whole(option: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= 2 ** 20) return;
  const message = `${option}: expected an integer from ${least} to ${2 ** 20}, got ${shown(value)}`;
  throw new SardonyxError('INVALID_ARGUMENT', message);
}
