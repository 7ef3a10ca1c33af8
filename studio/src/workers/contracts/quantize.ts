import type { ModelFiles } from './documents.js';

/** What people choose; what a method does not take is left out of account. */
export interface Settings {
  readonly method: 'weights' | 'dynamic' | 'static';
  readonly bits: 2 | 4 | 8;
  readonly block: number;
  readonly rounding: 'rtn' | 'kquant' | 'hqq' | 'gptq' | 'awq';
  readonly calibration: 'minmax' | 'average' | 'entropy' | 'percentile' | 'mse';
  readonly perChannel: boolean;
  readonly repair: readonly ('equalize' | 'smooth' | 'adaround' | 'bias')[];
  /** Names of nodes or weights to leave, `*` for anything. */
  readonly exclude: readonly string[];
}

/** What the model is run on: to find ranges, and to say what is lost. */
export interface SampleFiles {
  /** Pictures, `.npy` files with a sample in each row, or a Model Zoo folder's `input_0.pb` …; none: random values, which find no good ranges. */
  readonly files: readonly { readonly path: string; readonly data: Blob }[];
  readonly normalize: 'unit' | 'signed' | 'imagenet' | 'clip' | 'bytes';
}

/** The noise that quantizing adds to one node, as ratios of signal to noise in decibels. */
export interface LayerError {
  readonly node: string;
  readonly operator: string;
  readonly value: string;
  readonly weight: number | undefined;
  /** Undefined where there is none, and where it is near zero. */
  readonly bias: number | undefined;
  /** Of the node's output with no other node rounded. */
  readonly alone: number | undefined;
  /** Of the node's output with all nodes before it rounded as well. */
  readonly accumulated: number | undefined;
  /** Of the model's worst output with no other node rounded; undefined until it is measured, and where nothing is rounded. */
  readonly output: number | undefined;
}

export interface OutputAccuracy {
  readonly name: string;
  readonly sqnr: number;
  /** The share of samples in which the largest number stands at the same place, where the last axis is one of classes. */
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

/** A worker's whole work; it is ended by ending the worker. */
export interface QuantizeService {
  quantize(
    files: ModelFiles,
    samples: SampleFiles,
    settings: Settings,
    onProgress: (progress: Progress) => void,
  ): Promise<Quantized>;
  /** Quantizes each of these nodes alone; answers `LayerError.output` of each. */
  outputErrors(
    files: ModelFiles,
    samples: SampleFiles,
    settings: Settings,
    nodes: readonly string[],
    onProgress: (progress: Progress) => void,
  ): Promise<(number | undefined)[]>;
}
