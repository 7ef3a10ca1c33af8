/** A state that `createState` of a session returns, for runs of that session. */
export interface State {
  /** Rows of the caches: tokens that have been run. */
  readonly length: number;
  /** A state that continues from here on its own. */
  clone(): unknown;
  /** Gives the state's memory back. */
  release(): unknown;
}

/** Options of `createState`. */
export interface StateOptions {
  /** Rows, that is tokens, that the caches have room for from the start; they grow beyond. */
  readonly capacity?: number;
  /** The type in which caches are stored: rows are rounded to `float32` or `float16`, or quantized to `int8` row by row, when they are appended. Default: the model's. */
  readonly type?: 'float32' | 'float16' | 'int8';
  /** The output that an input is fed from, for names other than `past…` and `present…`. */
  readonly pairs?: Readonly<Record<string, string>>;
}
