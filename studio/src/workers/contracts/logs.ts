import type { Ridges } from '../logs/draw/histograms.js';
import type { ScalarQuery, Table } from '../logs/draw/table.js';
import type { Curve, HyperParameters } from '../logs/entry.js';
import type { Large } from '../logs/store.js';

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
