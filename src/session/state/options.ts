export interface StateOptions {
  /** Rows, that is tokens, that the caches have room for from the start; they grow beyond. */
  readonly capacity?: number;
  /** The output that an input is fed from, for names other than `past…` and `present…`. */
  readonly pairs?: Readonly<Record<string, string>>;
}
