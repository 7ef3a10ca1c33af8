import type { asyncDispose } from '../base/disposal.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import type { HyperParameters, LogPicture, Numbers } from './arguments.js';

/** Options of `createLog`. */
export interface LogOptions {
  /** Returns the time in seconds since 1970. Default: the system clock. */
  readonly clock?: (() => number) | undefined;
}

/** Options of a log entry. */
export interface PointOptions {
  /** The time of the entry in seconds since 1970. Default: the time of the call. */
  readonly wallTime?: number | undefined;
}

/** Options of `Log.histogram`. */
export interface HistogramOptions extends PointOptions {
  /** The number of buckets of equal width, from 2 to 65536. Default: 30. */
  readonly buckets?: number | undefined;
}

/** Options of `Log.prCurve`. */
export interface PrCurveOptions extends PointOptions {
  /** The number of thresholds, evenly spaced from 0 to 1. Default: 201. */
  readonly thresholds?: number | undefined;
}

/** Options of `Log.hparams`. */
export interface HyperParameterOptions extends PointOptions {
  /** Tags of the scalars that measure the quality of a run. */
  readonly metrics?: readonly string[] | undefined;
}

/**
 * A log of one training run in TensorBoard's format. A tag names a series; `loss/train` belongs to the group `loss`. A
 * step is a non-negative integer. Calls return at once, and entries are written in the order of the calls when the
 * event loop is free. If writing fails, later calls, `flush` and `close` report the error.
 * @throws SardonyxError INVALID_ARGUMENT for an invalid argument, RELEASED after `close`
 */
export interface Log {
  /**
   * Logs a number, or a tensor with one element, as float32. NaN and infinities are preserved.
   * @throws SardonyxError INVALID_SHAPE if the tensor has several elements
   */
  scalar(tag: string, value: number | bigint | TensorValue, step: number, options?: PointOptions): void;
  /**
   * Logs the distribution of the values of a tensor of any shape.
   * @throws SardonyxError INVALID_VALUE for NaN and infinite values, INVALID_TYPE for strings and complex numbers
   */
  histogram(tag: string, values: Numbers, step: number, options?: HistogramOptions): void;
  /**
   * Logs an image: a PNG file, `ImageData`, or pixels with 1 to 4 channels of 8 bits.
   * @throws SardonyxError UNSUPPORTED_PLATFORM if pixels are given and the platform has no CompressionStream
   */
  image(tag: string, picture: LogPicture, step: number, options?: PointOptions): void;
  /** Logs Markdown text. */
  text(tag: string, text: string | readonly string[], step: number, options?: PointOptions): void;
  /**
   * Logs a precision-recall curve of true labels (0 and false are negative) and predicted probabilities.
   * @throws SardonyxError INVALID_VALUE if a prediction is not from 0 to 1, INVALID_SHAPE if the lengths differ
   */
  prCurve(tag: string, labels: Numbers, predictions: Numbers, step: number, options?: PrCurveOptions): void;
  /** Logs the hyperparameters of the run. Call it once, before the first step. */
  hparams(values: HyperParameters, options?: HyperParameterOptions): void;
  /** Resolves when all entries so far are written. */
  flush(): Promise<void>;
  /** Writes all entries and closes the log. */
  close(): Promise<void>;
  /** Closes the log, for `await using`. */
  [asyncDispose](): Promise<void>;
}

/** A log that is kept in memory. */
export interface CollectedLog extends Log {
  /** Returns everything up to the last `flush` or `close` as the bytes of an event file. */
  bytes(): Uint8Array;
}
