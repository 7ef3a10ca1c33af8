import type { Curve, HyperParameters, Large } from './log-entries.js';

/** A file of a log, or a folder of them: those behind handles are looked at again, for what has been added. */
export type LogSource =
  | { readonly path: string; readonly file: File }
  | { readonly path: string; readonly handle: FileSystemFileHandle | FileSystemDirectoryHandle };

export type TagKind = 'scalar' | Large;

export interface Overview {
  readonly runs: readonly RunSummary[];
  readonly tags: readonly TagSummary[];
  /** What is wrong with which file. */
  readonly problems: readonly string[];
  readonly points: number;
  /** Whether some of it may grow. */
  readonly isFollowed: boolean;
}

export interface RunSummary {
  /** Tells it from others. */
  readonly folder: string;
  readonly name: string;
  readonly parameters: HyperParameters | undefined;
  /** What comes last of each scalar. */
  readonly last: Readonly<Record<string, number>>;
  /** What is in the log and not shown: graphs, meshes. */
  readonly others: readonly string[];
}

export interface TagSummary {
  readonly kind: TagKind;
  readonly tag: string;
  /** Folders of the runs that have it. */
  readonly runs: readonly string[];
}

/** Of values that are kept whole, those there are. */
export interface Moment {
  readonly step: number;
  readonly wall: number;
}

export interface LogsService {
  /** Reads logs; what is no log is left out. */
  open(sources: readonly LogSource[]): Promise<Overview>;
  /** Reads what has been added since; null where nothing has. */
  poll(): Promise<Overview | null>;
  close(): Promise<void>;
  scalars(query: ScalarQuery): Promise<Table>;
  csv(tag: string, runs: readonly string[]): Promise<Blob>;
  ridges(run: string, tag: string): Promise<Ridges | null>;
  moments(kind: Large, run: string, tag: string): Promise<readonly Moment[]>;
  /** Encoded pictures or sounds of one moment. */
  files(kind: 'image' | 'audio', run: string, tag: string, moment: number): Promise<readonly Blob[]>;
  texts(run: string, tag: string): Promise<readonly (Moment & { readonly texts: readonly string[] })[]>;
  /** The curves of one moment, or the last before. */
  curve(kind: 'pr' | 'roc', run: string, tag: string, moment: number): Promise<Curve<'pr'> | Curve<'roc'> | null>;
  /** Two coordinates for each point. */
  project(run: string, tag: string, moment: number, method: Method): Promise<Projection | null>;
}

export type Method = 'pca' | 'umap';

export interface Projection {
  readonly points: Float32Array;
  readonly labels: readonly string[];
  /** Of the variance, by PCA's axes. */
  readonly shares: readonly number[];
}

/** Histograms of one tag over its steps, all in the same buckets of equal width. */
export interface Ridges {
  readonly steps: Float64Array;
  readonly from: number;
  readonly to: number;
  readonly bins: number;
  /** Counts, a row for each step. */
  readonly counts: Float32Array;
  /** Of each step, a row for each share of SHARES: below which value that share lies. */
  readonly quantiles: Float32Array;
}

/** Least, one, two and three deviations of a normal distribution on both sides, the middle, largest. */
export const SHARES: readonly number[] = [0, 0.0668, 0.1587, 0.3085, 0.5, 0.6915, 0.8413, 0.9332, 1];

/** What points are drawn over: the step, the seconds since the run's first point, or the seconds since 1970. */
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
  /** Folders of runs, in the order of the lines. */
  readonly runs: readonly string[];
  readonly axis: Axis;
  /** From 0, not at all, to below 1. */
  readonly smoothing: number;
  /** Of the axis; all of it unless given. */
  readonly range?: readonly [from: number, to: number] | undefined;
  /** How many points a line is drawn by at most. */
  readonly buckets: number;
}

/** Lines over the same x; NaN where one has no point. */
export interface Table {
  readonly x: Float64Array;
  readonly lines: readonly TableLine[];
  /** Of the axis, all lines together. */
  readonly extent: readonly [from: number, to: number];
}

export interface TableLine extends Omit<Drawn, 'x'> {
  readonly run: string;
  /** Of the whole line. */
  readonly points: number;
  readonly notFinite: number;
  /** Where it stands: NaN before the first point. */
  readonly last: number;
}
