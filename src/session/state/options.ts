/** A state from `createState` of a session, for runs of that session. */
export interface State {
  /** Rows of the caches: the number of tokens so far. */
  readonly length: number;
  /** A copy of the state that continues independently. */
  clone(): unknown;
  /** Frees the state's memory. */
  release(): unknown;
}

/** Options of `createState`. */
export interface StateOptions {
  /** Initial capacity of the caches in rows, that is tokens; they grow beyond it. */
  readonly capacity?: number;
  /**
   * The storage type of caches: appended rows are rounded to `float32` or `float16`, or quantized to `int8` row by row. Default: the
   * model's type.
   */
  readonly type?: 'float32' | 'float16' | 'int8';
  /** The output that feeds each input, for names other than `past…` and `present…`. */
  readonly pairs?: Readonly<Record<string, string>>;
}
