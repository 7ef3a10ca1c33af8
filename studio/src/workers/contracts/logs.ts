import type { Curve, HyperParameters, Large } from './log-entries.js';

/** A log file, or a folder of them. Handles are checked again for new data. */
export type LogSource =
  | { readonly path: string; readonly file: File }
  | { readonly path: string; readonly handle: FileSystemFileHandle | FileSystemDirectoryHandle };

export type TagKind = 'scalar' | Large;

export interface Overview {
  readonly runs: readonly RunSummary[];
  readonly tags: readonly TagSummary[];
  /** Problems, each with its file. */
  readonly problems: readonly string[];
  readonly points: number;
  /** Whether any file may grow. */
  readonly isFollowed: boolean;
}

export interface RunSummary {
  /** Identifies the run. */
  readonly folder: string;
  readonly name: string;
  readonly parameters: HyperParameters | undefined;
  /** The last value of each scalar. */
  readonly last: Readonly<Record<string, number>>;
  /** Content of the log that is not shown: graphs, meshes. */
  readonly others: readonly string[];
}

export interface TagSummary {
  readonly kind: TagKind;
  readonly tag: string;
  /** Folders of the runs that have it. */
  readonly runs: readonly string[];
}

/** A value of a kind that is kept in full. */
export interface Moment {
  readonly step: number;
  readonly wall: number;
}

export interface LogsService {
  /** Reads logs and ignores other files. */
  open(sources: readonly LogSource[]): Promise<Overview>;
  /** Reads data added since; null if there is none. */
  poll(): Promise<Overview | null>;
  close(): Promise<void>;
  scalars(query: ScalarQuery): Promise<Table>;
  csv(tag: string, runs: readonly string[]): Promise<Blob>;
  ridges(run: string, tag: string): Promise<Ridges | null>;
  moments(kind: Large, run: string, tag: string): Promise<readonly Moment[]>;
  /** The encoded images or sounds of one moment. */
  files(kind: 'image' | 'audio', run: string, tag: string, moment: number): Promise<readonly Blob[]>;
  texts(run: string, tag: string): Promise<readonly (Moment & { readonly texts: readonly string[] })[]>;
  /** The curve at a moment, or the last one before it. */
  curve(kind: 'pr' | 'roc', run: string, tag: string, moment: number): Promise<Curve<'pr'> | Curve<'roc'> | null>;
  /** Two coordinates for each point. */
  project(run: string, tag: string, moment: number, method: Method): Promise<Projection | null>;
}

export type Method = 'pca' | 'umap';

export interface Projection {
  readonly points: Float32Array;
  readonly labels: readonly string[];
  /** The share of the variance explained by each axis of PCA. */
  readonly shares: readonly number[];
}

/** Histograms of one tag over its steps, all with the same bins of equal width. */
export interface Ridges {
  readonly steps: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly bins: number;
  /** Counts, one row per step. */
  readonly counts: Float32Array;
  /** One row per step: the quantile at each of SHARES. */
  readonly quantiles: Float32Array;
}

/** Minimum, median and maximum, and 0.5, 1 and 1.5 standard deviations of a normal distribution on both sides. */
export const SHARES: readonly number[] = [0, 0.0668, 0.1587, 0.3085, 0.5, 0.6915, 0.8413, 0.9332, 1];

/** The x axis: steps, seconds since the run's first point, or seconds since 1970. */
export type Axis = 'step' | 'relative' | 'wall';

/** A line within a window: its position, and the range of its points. NaN if nothing is finite. */
export interface Drawn {
  readonly x: Float64Array;
  readonly line: Float64Array;
  readonly least: Float64Array;
  readonly largest: Float64Array;
}

export interface ScalarQuery {
  readonly tag: string;
  /** The folders of the runs, in the order of the lines. */
  readonly runs: readonly string[];
  readonly axis: Axis;
  /** From 0 (none) to below 1. */
  readonly smoothing: number;
  /** The range of the axis; all of it by default. */
  readonly range?: readonly [from: number, to: number] | undefined;
  /** The maximum number of points per line. */
  readonly buckets: number;
}

/** Lines over the same x; NaN where a line has no point. */
export interface Table {
  readonly x: Float64Array;
  readonly lines: readonly TableLine[];
  /** The range of the axis over all lines. */
  readonly extent: readonly [from: number, to: number];
}

export interface TableLine extends Omit<Drawn, 'x'> {
  readonly run: string;
  /** The number of points in the whole line. */
  readonly points: number;
  readonly notFinite: number;
  /** The last value; NaN before the first point. */
  readonly last: number;
}
