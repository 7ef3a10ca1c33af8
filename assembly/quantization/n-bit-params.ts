/** What a block's codes are measured from. */
export const enum ZeroPoints {
  /** `zeroPoint`, for all. */
  Same = 0,
  /** A byte for each block of each column. */
  Bytes = 1,
  /** A float for each. */
  Floats = 2,
}

/** How a product of `nBitProduct` cuts its work. */
export const enum NBitTile {
  Rows = 64,
}

/**
 * Y [m, n] = A · B + bias: A in integers by `quantizeBlocks`, in blocks of `block`; B in codes of 2, 4 or 8 bits by `packNBitCodes`, of which
 * `split` blocks of A each share a scale and a zero point: `scales`, `zeros` by `packBlockFloats` or `packBlockCodes`.
 * Sums of a block are exact in 32 bits, or 16, and converted once. y is the sum over blocks, the first first, of
 * scale of A · scale of B · (Σ a·code − zero point · Σ a): every split of rows and columns gives the same bits.
 * Blocks of A that `quantizeBlocks` leaves, by a scale of −0, or all where `isExact`, are multiplied in floats, of `x` [rows, columns], and
 * added last. With `meanings` it is Σ a·meaning in place of the difference, of WordPairs.
 * A tile is NBitTile.Rows × `tilePanels` panels, columns first: ceil(m / Rows) · ceil(panels / tilePanels).
 */
@unmanaged
export class NBitProductParams {
  x: usize = 0;
  columns: i32 = 0;
  /** `q`, `aScales` and `sums` are not read. */
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
  /** Of B. */
  blocks: i32 = 0;
  bits: i32 = 0;
  narrow: i32 = 0;
  quads: i32 = 0;
  zeroPoints: i32 = 0;
  zeroPoint: i32 = 0;
  tilePanels: i32 = 0;
  /** What 4-bit codes stand for, in `unit`s: the upper bytes of 16 words, 32768 more than that, then the lower; 0 where they are numbers. */
  meanings: usize = 0;
  unit: f32 = 0;
  /**
   * Where rows choose among matrices, each of n columns, a multiple of NBitPanel.Columns, that stand beside each other in B and `bias`: the
   * number of that of each row of Y, in 8 bytes; 0 where there is but one. Row r of Y is of row r / `perRow` of A.
   */
  choices: usize = 0;
  perRow: i32 = 0;
}
