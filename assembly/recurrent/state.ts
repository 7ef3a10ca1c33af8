import { scratch } from '../program';

/** State of a tile, at the start of the scratch block; every array has room for whole panels. */
@unmanaged
export class CellState {
  /** The tile's direction and its weights. */
  direction: i32 = 0;
  packed: usize = 0;
  /** Batch rows that run together, and the bytes from one row's state to the next. */
  rows: i32 = 0;
  pitch: usize = 0;
  /** H before and after the step. */
  h: usize = 0;
  next: usize = 0;
  /** LSTM: C. GRU: z. */
  c: usize = 0;
  /** GRU: r, or r ⊙ H. */
  reset: usize = 0;
}

export const enum RecurrentTile {
  /** Maximum number of batch rows in a tile. */
  Rows = 4,
}

/** Panels whose products are computed before cells use them. */
export const RUN: i32 = 16;

// Scratch after the CellState: the micro-kernel's output, its table of rows, and the products of a run of panels with each row.
export const OUTPUT: usize = 64;
export const ROW_TABLE: usize = 128;
const SUMS: usize = 192;
export const SUMS_PITCH: usize = RUN * 128;
export const STATES: usize = SUMS + <usize>RecurrentTile.Rows * SUMS_PITCH;

@inline
export function sumsOf(row: i32): usize {
  return scratch + SUMS + <usize>row * SUMS_PITCH;
}
