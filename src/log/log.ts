import type { asyncDispose } from '../base/disposal.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import type { HyperParameters, LogPicture, Numbers } from './arguments.js';

export interface LogOptions {
  /** The time in seconds since 1970; the host's unless given. */
  readonly clock?: (() => number) | undefined;
}

export interface PointOptions {
  /** When it was so, in seconds since 1970; the time of the call unless given. */
  readonly wallTime?: number | undefined;
}

export interface HistogramOptions extends PointOptions {
  /** Of equal width; 30 unless given. */
  readonly buckets?: number | undefined;
}

export interface PrCurveOptions extends PointOptions {
  /** Evenly from 0 to 1; 201 unless given. */
  readonly thresholds?: number | undefined;
}

export interface HyperParameterOptions extends PointOptions {
  /** Tags of the scalars by which runs are judged. */
  readonly metrics?: readonly string[] | undefined;
}

/**
 * A log of one run of training, in the format of TensorBoard. A tag names what is logged (`loss/train` lies in the group `loss`), a
 * step is a whole number from 0. Nothing waits: what is logged is written when the thread is let go of, in the order of the calls. A
 * target that cannot be written fails the calls after it, `flush` and `close`.
 * @throws SardonyxError INVALID_ARGUMENT where an argument is none of what is asked for, RELEASED once the log is closed
 */
export interface Log {
  /** A number, or a tensor with one element; kept as float32, which NaN and infinities are, too. */
  scalar(tag: string, value: number | bigint | TensorValue, step: number, options?: PointOptions): void;
  /**
   * How often the values of a tensor of any dims lie where.
   * @throws SardonyxError INVALID_VALUE where one is NaN or infinite, INVALID_TYPE where they are strings or complex
   */
  histogram(tag: string, values: Numbers, step: number, options?: HistogramOptions): void;
  /** @throws SardonyxError UNSUPPORTED_PLATFORM where pixels are given and the host has no CompressionStream */
  image(tag: string, picture: LogPicture, step: number, options?: PointOptions): void;
  /** Markdown. */
  text(tag: string, text: string | readonly string[], step: number, options?: PointOptions): void;
  /**
   * Precision and recall by threshold: whether each is so (0 and false are not), and its probability.
   * @throws SardonyxError INVALID_VALUE where a prediction is not from 0 to 1, INVALID_SHAPE where there are more of one than of the other
   */
  prCurve(tag: string, labels: Numbers, predictions: Numbers, step: number, options?: PrCurveOptions): void;
  /** What this run does otherwise than others; once, before it begins. */
  hparams(values: HyperParameters, options?: HyperParameterOptions): void;
  /** Settles once all that was logged is where others see it. */
  flush(): Promise<void>;
  close(): Promise<void>;
  [asyncDispose](): Promise<void>;
}

export interface CollectedLog extends Log {
  /** All that was logged before the last `flush` or `close`: a whole file. */
  bytes(): Uint8Array;
}
