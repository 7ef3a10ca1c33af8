/** What a record of a log says, whoever wrote it. */
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
  /** Of the run itself. */
  | { readonly kind: 'name'; readonly name: string }
  /** What no panel shows: a graph, a mesh. */
  | { readonly kind: 'other'; readonly what: string };

export type Kind = Content['kind'];

export type Of<K extends Kind> = Extract<Entry, { readonly kind: K }>;

/** Encoded files. */
export interface Images {
  readonly kind: 'image';
  readonly files: readonly Uint8Array[];
}

/** By threshold, from 0 to 1: of precision over recall, or of true positives over false ones. */
export interface Curve<K extends 'pr' | 'roc'> {
  readonly kind: K;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** How many of each there are at the thresholds. */
  readonly counts: Counts;
}

export interface Counts {
  readonly truePositives: ArrayLike<number>;
  readonly falsePositives: ArrayLike<number>;
  readonly trueNegatives: ArrayLike<number>;
  readonly falseNegatives: ArrayLike<number>;
}

export type Parameter = string | number | boolean;

/** A part of what is said of a run; the parts come in any order. */
export interface HyperParameters {
  readonly kind: 'hparams';
  readonly values?: Readonly<Record<string, Parameter>>;
  /** Tags of scalars. */
  readonly metrics?: readonly string[];
  readonly status?: 'success' | 'failure';
}

/** Points of as many dimensions as `vectors` has numbers for each. */
export interface Embedding {
  readonly kind: 'embedding';
  readonly vectors: Float32Array;
  readonly count: number;
  /** A label or several for each point; none where nothing says. */
  readonly labels: readonly (readonly string[])[];
  /** What the labels are called, where there are several. */
  readonly headings: readonly string[];
}

/** Kinds whose values are all kept in full. */
export type Large = Exclude<Kind, 'scalar' | 'hparams' | 'name' | 'other'>;
