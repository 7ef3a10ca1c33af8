export { type ErrorCode, type ErrorPlace, SardonyxError } from '../base/errors.js';
export type { HyperParameters, LogPicture, Numbers } from './arguments.js';
export { createLog } from './create-log.js';
export type {
  CollectedLog,
  HistogramOptions,
  HyperParameterOptions,
  Log,
  LogOptions,
  PointOptions,
  PrCurveOptions,
} from './log.js';
export type { LogTarget } from './outlet.js';
export type { HyperParameter } from './summaries/hparams.js';
