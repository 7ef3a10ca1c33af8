import type { Codes, Grid } from './blocks.js';

/** A layer of those that read the same values. */
export interface Part {
  readonly values: Float32Array;
  readonly grid: Grid;
}

export interface Found {
  readonly codes: readonly Codes[];
  /** What weights were multiplied by, and inputs are to be divided by. */
  readonly scales?: Float32Array;
}

/** Rounds layers by XᵀX of all that they are multiplied by. */
export type ByInputs = (parts: readonly Part[], gram: Float64Array) => Found;
