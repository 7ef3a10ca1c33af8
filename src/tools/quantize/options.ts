/** A name, in which * stands for anything, or a pattern. */
export type NamePattern = string | RegExp;

export interface QuantizeProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  /** What is being worked on. */
  readonly node: string;
}

/** What every way to quantise takes. */
export interface QuantizeOptions {
  /** Nodes or weights to quantise, all if left out; and those to leave. */
  readonly include?: readonly NamePattern[];
  readonly exclude?: readonly NamePattern[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: QuantizeProgress) => void;
}
