/** A name, in which `*` matches any text, or a regular expression. */
export type NamePattern = string | RegExp;

/** The progress of a quantization tool. */
export interface QuantizeProgress {
  /** The current stage. */
  readonly stage: string;
  /** The number of finished items of this stage. */
  readonly done: number;
  /** The number of items of this stage, if it is known. */
  readonly total: number;
  /** The node, weight or sample in progress. */
  readonly node: string;
}

/** Options of all kinds of quantization. */
export interface QuantizeOptions {
  /** The nodes or weights to quantize. Default: all. */
  readonly include?: readonly NamePattern[];
  /** The nodes or weights to leave as they are. */
  readonly exclude?: readonly NamePattern[];
  /** Aborts the quantization. */
  readonly signal?: AbortSignal;
  /** Called as the quantization progresses. */
  readonly onProgress?: (progress: QuantizeProgress) => void;
}
