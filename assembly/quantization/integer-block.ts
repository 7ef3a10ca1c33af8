import { scratch } from '../program';
import { BLOCK_COLUMNS, EPILOGUE_SCRATCH, IntegerEpilogue, IntegerResult, offsetsFor, PANEL, readBounds, readColumns, zeroAt } from './integer-epilogue';
import { IntegerDots, IntegerRows, multiplyPanels } from './integer-microkernel';
import { panelBytesOf } from './integer-pack';
import { Staging, sumOfRow } from './integer-rows';

/** Tiling of integer products and convolutions: a tile is Rows × Columns of the result. */
export const enum IntegerTile {
  Rows = 60,
  Columns = 64,
  /** Columns of a packed panel. */
  Panel = 8,
  /** Bytes in a panel before its integers. */
  PanelHead = 32,
  /** The greatest depth that a kernel sums over. */
  Depth = 450000,
}

/** Rows, in scratch or in place, and the panels that they are multiplied with. */
@unmanaged
export class IntegerBlock extends Staging {
  count: i32 = 0;
  depth: i32 = 0;
  rows: usize = 0;
  /** Bytes from one row to the next. */
  pitch: usize = 0;
  /** Packed panels of the matrix. */
  b: usize = 0;
  /** The block computes columns first…end of the matrix, whose zero points, scales and biases begin at index `column`. */
  first: i32 = 0;
  end: i32 = 0;
  column: i32 = 0;
  y: usize = 0;
  yStride: usize = 0;
  /** The first row's index among the zero points of rows. */
  row: i32 = 0;
  /** Whether the sums of the rows have been computed. */
  summed: i32 = 0;
}

const BLOCK: usize = EPILOGUE_SCRATCH;
const TILES: usize = BLOCK + 64;
const ROW_SUMS: usize = TILES + 32;
const ROWS: usize = ROW_SUMS + 4 * IntegerTile.Rows + 16;

/** Leaves room for what a short run may write past the last row. */
const SCRATCH: usize = (1 << 20) - 32;
/** Bytes of rows that stay in the L2 cache next to a panel. */
const RESIDENT: usize = 256 << 10;

@inline
export function stagedRows(): usize {
  return scratch + ROWS;
}

/** Initializes the fields that all tiles share. */
export function integerBlock(dots: i32, e: IntegerEpilogue, depth: i32): IntegerBlock {
  const block = changetype<IntegerBlock>(scratch + BLOCK);
  block.quads = dots == IntegerDots.Pairs ? 0 : 1;
  block.signed = e.xSigned;
  block.flip = block.quads && (dots == IntegerDots.Signed) != (e.xSigned != 0) ? 128 : 0;
  block.depth = depth;
  block.pitch = <usize>(block.quads ? (depth + 3) & -4 : (((depth + 1) & -2) << 1));
  block.rows = stagedRows();
  readBounds(e);
  return block;
}

/** Whether rows can be multiplied in place: whole words, with the sign that the dot product requires. */
export function isReady(block: IntegerBlock): bool {
  return block.quads != 0 && !block.flip && block.depth % 4 == 0;
}

/** Rows to multiply at once: a multiple of the micro-kernel's, unless a single one fills the room. */
export function rowsAtOnce(block: IntegerBlock): i32 {
  const resident = <i32>(RESIDENT / max(block.pitch, 1));
  if (resident >= IntegerTile.Rows) return IntegerTile.Rows;
  const fit = <i32>((SCRATCH - ROWS) / max(block.pitch, 1));
  return max(1, min(fit, max(12, resident - (resident % 12))));
}

/** Pads a row whose values end at `to` with zeros, fewer than a word. */
@inline
export function endRow(block: IntegerBlock, to: usize, row: usize): void {
  for (const end = row + block.pitch; to < end; to++) store<u8>(to, 0);
}

/** Multiplies the rows with columns first…end, and applies the epilogue. */
export function multiplyIntegers(block: IntegerBlock, e: IntegerEpilogue): void {
  const panelBytes = panelBytesOf(block.depth, block.quads ? 4 : 2);
  const wShift = e.wSigned ? 0 : 128;
  const size: usize = e.result == IntegerResult.Narrow ? 1 : 4;
  for (let first = block.first; first < block.end; first += BLOCK_COLUMNS) {
    const columns = min(BLOCK_COLUMNS, block.end - first);
    const b = block.b + <usize>(first / PANEL) * panelBytes;
    const byRow = readColumns(e, b, panelBytes, block.column + first, columns, block.depth, wShift);
    if (byRow && !block.summed) sumRows(block);
    multiplyRows(block, e, b, panelBytes, columns, block.y + <usize>first * size, byRow);
  }
}

/** Processes rows with the same zero point together: all of them, unless each has its own. */
function multiplyRows(block: IntegerBlock, e: IntegerEpilogue, b: usize, panelBytes: usize, columns: i32, y: usize, byRow: bool): void {
  const rows = changetype<IntegerRows>(scratch + TILES);
  const shift = block.flip ? (block.signed ? 128 : -128) : 0;
  const each = e.xZeroStep ? 1 : block.count;
  rows.quads = block.quads;
  rows.count = each;
  rows.pitch = block.pitch;
  rows.steps = block.quads ? (block.depth + 3) >> 2 : (block.depth + 1) >> 1;
  rows.yStride = block.yStride;
  for (let row = 0; row < block.count; row += each) {
    offsetsFor(e, columns, zeroAt(e.xZero, e.xZeroStep, block.row + row, e.xSigned) + shift);
    rows.a = block.rows + <usize>row * block.pitch;
    rows.y = y + <usize>row * block.yStride;
    rows.rowSums = byRow ? scratch + ROW_SUMS + (<usize>row << 2) : 0;
    multiplyPanels(e, rows, b, panelBytes, columns);
  }
}

function sumRows(block: IntegerBlock): void {
  const unsigned = (block.signed != 0) == (block.flip != 0);
  const bytes = <usize>(block.quads ? (block.depth + 3) & -4 : ((block.depth + 1) & -2) << 1);
  for (let r = 0; r < block.count; r++) {
    const row = block.rows + <usize>r * block.pitch;
    store<i32>(scratch + ROW_SUMS + (<usize>r << 2), sumOfRow(block, row, bytes, unsigned));
  }
  block.summed = 1;
}
