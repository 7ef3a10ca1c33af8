import type { ModelFiles } from './documents.js';

/** The user's choices; those that a method does not support are ignored. */
export interface Settings {
  readonly method: 'weights' | 'dynamic' | 'static';
  readonly bits: 2 | 4 | 8;
  readonly block: number;
  readonly rounding: 'rtn' | 'kquant' | 'hqq' | 'gptq' | 'awq';
  readonly calibration: 'minmax' | 'average' | 'entropy' | 'percentile' | 'mse';
  readonly perChannel: boolean;
  readonly repair: readonly ('equalize' | 'smooth' | 'adaround' | 'bias')[];
  /** Names of nodes or weights to leave alone; `*` matches anything. */
  readonly exclude: readonly string[];
}

/** Samples for calibrating ranges and measuring the loss of accuracy. */
export interface SampleFiles {
  /** Images, `.npy` files with a sample per row, or a Model Zoo folder's `input_0.pb` …; if empty, random values, which calibrate badly. */
  readonly files: readonly { readonly path: string; readonly data: Blob }[];
  readonly normalize: 'unit' | 'signed' | 'imagenet' | 'clip' | 'bytes';
}

/** The noise that quantization adds to one node, as signal-to-noise ratios in decibels. */
export interface LayerError {
  readonly node: string;
  readonly operator: string;
  readonly value: string;
  readonly weight: number | undefined;
  /** Undefined if there is no bias or it is near zero. */
  readonly bias: number | undefined;
  /** For the node's output with no other node rounded. */
  readonly alone: number | undefined;
  /** For the node's output with all previous nodes rounded as well. */
  readonly accumulated: number | undefined;
  /** For the model's worst output with no other node rounded; undefined until measured, and if nothing is rounded. */
  readonly output: number | undefined;
}

export interface OutputAccuracy {
  readonly name: string;
  readonly sqnr: number;
  /** The share of rows along the last axis, such as class scores, whose largest number is at the same index. */
  readonly sameTop: number | undefined;
}

export interface Quantized {
  readonly model: Blob;
  readonly before: number;
  readonly after: number;
  readonly samples: number;
  readonly outputs: readonly OutputAccuracy[];
  readonly layers: readonly LayerError[];
}

export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

/** The only task of a worker; terminate the worker to cancel it. */
export interface QuantizeService {
  quantize(
    files: ModelFiles,
    samples: SampleFiles,
    settings: Settings,
    onProgress: (progress: Progress) => void,
  ): Promise<Quantized>;
  /** Quantizes each of these nodes alone and returns its `LayerError.output`. */
  outputErrors(
    files: ModelFiles,
    samples: SampleFiles,
    settings: Settings,
    nodes: readonly string[],
    onProgress: (progress: Progress) => void,
  ): Promise<(number | undefined)[]>;
}
