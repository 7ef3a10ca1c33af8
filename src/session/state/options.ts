/** What `createState` of a session gives, which that session alone goes on from. */
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
  /** What caches are kept as: `float32` and `float16` are rounded when rows are appended, `int8` row by row; by default as the model says. */
  readonly type?: 'float32' | 'float16' | 'int8';
  /** The output that an input is fed from, for names other than `past…` and `present…`. */
  readonly pairs?: Readonly<Record<string, string>>;
}
