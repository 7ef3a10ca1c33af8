/** What `createState` of a session gives, which that session alone goes on from. */
export interface State {
  readonly length: number;
  clone(): unknown;
  release(): unknown;
}

export interface StateOptions {
  /** Rows, that is tokens, that the caches have room for from the start; they grow beyond. */
  readonly capacity?: number;
  /** What caches are kept as: `float32` and `float16` are rounded when rows are appended, `int8` row by row; by default as the model says. */
  readonly type?: 'float32' | 'float16' | 'int8';
  /** The output that an input is fed from, for names other than `past…` and `present…`. */
  readonly pairs?: Readonly<Record<string, string>>;
}
