/** Zero points of blocks. */
export const enum ZeroPoints {
  /** The same zero point, `zeroPoint`, for all. */
  Same = 0,
  /** A byte for each block of each column. */
  Bytes = 1,
  /** A float for each block of each column. */
  Floats = 2,
}

/** Tiling of `nBitProduct`. */
export const enum NBitTile {
  Rows = 64,
}

/**
 * Y [m, n] = A · B + bias. `quantizeBlocks` quantizes A to integers, in blocks of `block`; `packNBitCodes` packs B as codes of 2, 4 or 8
 * bits. `split` blocks of A share a scale and a zero point of B: `scales` and `zeros`, from `packBlockFloats` or `packBlockCodes`. Sums of
 * a block are exact in 32 bits, or 16, and converted once. y is the sum over blocks, in order, of scale of A · scale of B · (Σ a·code −
 * zero point · Σ a): every split of rows and columns gives the same bits. Blocks of A that `quantizeBlocks` does not quantize (their scale
 * is −0), or all with `isExact`, are multiplied in floats from `x` [rows, columns], and added last. With `meanings`, Σ a·value replaces the
 * difference; activations are then WordPairs.
 * A tile is NBitTile.Rows × `tilePanels` panels, columns first: ceil(m / Rows) · ceil(panels / tilePanels).
 */
@unmanaged
export class NBitProductParams {
  x: usize = 0;
  columns: i32 = 0;
  /** 1: multiplies in floats; `q`, `aScales` and `sums` are not used. */
  isExact: i32 = 0;
  q: usize = 0;
  aScales: usize = 0;
  sums: usize = 0;
  b: usize = 0;
  scales: usize = 0;
  zeros: usize = 0;
  bias: usize = 0;
  y: usize = 0;
  m: i32 = 0;
  n: i32 = 0;
  block: i32 = 0;
  split: i32 = 0;
  /** Number of blocks in a column of B. */
  blocks: i32 = 0;
  bits: i32 = 0;
  narrow: i32 = 0;
  quads: i32 = 0;
  zeroPoints: i32 = 0;
  zeroPoint: i32 = 0;
  tilePanels: i32 = 0;
  /**
   * The 16-bit values of 4-bit codes, in `unit`s: the upper bytes of the 16 values plus 32768, then the lower bytes. 0: codes are integers.
   */
  meanings: usize = 0;
  unit: f32 = 0;
  /**
   * For rows that choose among matrices, each of n columns (a multiple of NBitPanel.Columns), adjacent in B and `bias`: the index of each
   * row's matrix, in 8 bytes; 0 if there is one matrix. Row r of Y is computed from row r / `perRow` of A.
   */
  choices: usize = 0;
  perRow: i32 = 0;
}
