import type { Codes, Grid } from './blocks.js';

/** One of the layers that read the same value. */
export interface Part {
  readonly values: Float32Array;
  readonly grid: Grid;
}

export interface Found {
  readonly codes: readonly Codes[];
  /** The factors of the weights, by which the input must be divided. */
  readonly scales?: Float32Array;
}

/** Quantizes layers by XᵀX of their inputs. */
export type ByInputs = (parts: readonly Part[], gram: Float64Array) => Found;
