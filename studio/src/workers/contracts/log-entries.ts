/** An entry of a log, whichever tool wrote it. */
export type Entry = At & Content;

export interface At {
  readonly tag: string;
  readonly step: number;
  /** Seconds since 1970. */
  readonly wall: number;
}

export type Content =
  | { readonly kind: 'scalar'; readonly value: number }
  | { readonly kind: 'histogram'; readonly buckets: Float64Array }
  | Images
  | { readonly kind: 'audio'; readonly type: string; readonly sounds: readonly Uint8Array[] }
  | { readonly kind: 'text'; readonly texts: readonly string[] }
  | Curve<'pr'>
  | Curve<'roc'>
  | HyperParameters
  | Embedding
  /** The name of the run. */
  | { readonly kind: 'name'; readonly name: string }
  /** Content that no panel shows: a graph, a mesh. */
  | { readonly kind: 'other'; readonly what: string };

export type Kind = Content['kind'];

export type Of<K extends Kind> = Extract<Entry, { readonly kind: K }>;

/** Encoded files. */
export interface Images {
  readonly kind: 'image';
  readonly files: readonly Uint8Array[];
}

/** Points by threshold, from 0 to 1: precision over recall, or the true positive rate over the false positive rate. */
export interface Curve<K extends 'pr' | 'roc'> {
  readonly kind: K;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Counts at each threshold. */
  readonly counts: Counts;
}

export interface Counts {
  readonly truePositives: ArrayLike<number>;
  readonly falsePositives: ArrayLike<number>;
  readonly trueNegatives: ArrayLike<number>;
  readonly falseNegatives: ArrayLike<number>;
}

export type Parameter = string | number | boolean;

/** A part of a run's hyperparameters; the parts come in any order. */
export interface HyperParameters {
  readonly kind: 'hparams';
  readonly values?: Readonly<Record<string, Parameter>>;
  /** Tags of scalars. */
  readonly metrics?: readonly string[];
  readonly status?: 'success' | 'failure';
}

/** Points whose number of dimensions is the length of `vectors` divided by `count`. */
export interface Embedding {
  readonly kind: 'embedding';
  readonly vectors: Float32Array;
  readonly count: number;
  /** One or more labels for each point; empty if there are none. */
  readonly labels: readonly (readonly string[])[];
  /** The names of the labels, if there are several per point. */
  readonly headings: readonly string[];
}

/** Kinds whose values are kept in full. */
export type Large = Exclude<Kind, 'scalar' | 'hparams' | 'name' | 'other'>;
