import { scratch } from '../program';
import {
  EPILOGUE_SCRATCH,
  FinishedRows,
  finishRows,
  IntegerEpilogue,
  IntegerResult,
  offsetsFor,
  readColumns,
  zeroAt,
} from './integer-epilogue';
import { BLOCK_COLUMNS, IntegerDots, multiplyPanels, PANEL } from './integer-microkernel';
import { panelBytesOf } from './integer-pack';
import { Staging, sumOfRow } from './integer-rows';

/** How integer products and convolutions cut their work: a tile is Rows × Columns of the result. */
export const enum IntegerTile {
  Rows = 60,
  Columns = 64,
  /** Columns of a packed panel. */
  Panel = 8,
  /** Bytes of a panel before its integers. */
  PanelHead = 32,
  /** The longest sums that a kernel forms. */
  Depth = 450000,
}

/** `count` rows in scratch and what they are multiplied with. */
@unmanaged
export class IntegerBlock extends Staging {
  count: i32 = 0;
  depth: i32 = 0;
  /** Bytes from one staged row to the next. */
  pitch: usize = 0;
  /** Packed panels of the matrix. */
  b: usize = 0;
  /** Columns first…end of the matrix, whose zero points, scales and biases begin at `column`. */
  first: i32 = 0;
  end: i32 = 0;
  column: i32 = 0;
  y: usize = 0;
  yStride: usize = 0;
  /** The first row's place among the zero points of rows. */
  row: i32 = 0;
  /** Whether the sums of the rows are known. */
  summed: i32 = 0;
}

const BLOCK: usize = EPILOGUE_SCRATCH;
const FINISHED: usize = BLOCK + 64;
const ROW_SUMS: usize = FINISHED + 32;
const SUMS: usize = ROW_SUMS + 4 * IntegerTile.Rows + 16;
const ROWS: usize = SUMS + 4 * IntegerTile.Rows * BLOCK_COLUMNS;

const SCRATCH: usize = 1 << 20;
/** Rows that stay in the second cache beside a panel and the sums. */
const RESIDENT: usize = 256 << 10;

@inline
export function stagedRows(): usize {
  return scratch + ROWS;
}

export function integerBlock(dots: i32, e: IntegerEpilogue, depth: i32): IntegerBlock {
  const block = changetype<IntegerBlock>(scratch + BLOCK);
  block.quads = dots == IntegerDots.Pairs ? 0 : 1;
  block.signed = e.xSigned;
  block.flip = block.quads && (dots == IntegerDots.Signed) != (e.xSigned != 0) ? 128 : 0;
  block.depth = depth;
  block.pitch = <usize>(block.quads ? (depth + 3) & -4 : (((depth + 1) & -2) << 1));
  return block;
}

/** Rows that are staged at once: a multiple of the micro-kernel's, unless one alone fills the room. */
export function rowsAtOnce(block: IntegerBlock): i32 {
  const resident = <i32>(RESIDENT / max(block.pitch, 1));
  if (resident >= IntegerTile.Rows) return IntegerTile.Rows;
  const fit = <i32>((SCRATCH - ROWS) / max(block.pitch, 1));
  return max(1, min(fit, max(12, resident - (resident % 12))));
}

/** Zeros behind a row whose values end at `to`. */
@inline
export function endRow(block: IntegerBlock, to: usize, row: usize): void {
  memory.fill(to, 0, row + block.pitch - to);
}

/** Multiplies the staged rows with columns first…end, and finishes them. */
export function multiplyIntegers(block: IntegerBlock, e: IntegerEpilogue): void {
  const group = block.quads ? 4 : 2;
  const panelBytes = panelBytesOf(block.depth, group);
  const steps = <i32>(block.pitch >> 2);
  const wShift = e.wSigned ? 0 : 128;
  for (let first = block.first; first < block.end; first += BLOCK_COLUMNS) {
    const columns = min(BLOCK_COLUMNS, block.end - first);
    const b = block.b + <usize>(first / PANEL) * panelBytes;
    const panels = (columns + PANEL - 1) / PANEL;
    const byRow = readColumns(e, b, panelBytes, block.column + first, columns, block.depth, wShift);
    if (byRow && !block.summed) sumRows(block);
    multiplyPanels(block.quads != 0, block.count, stagedRows(), block.pitch, steps, b, panelBytes, panels, scratch + SUMS);
    finishBlock(block, e, first, columns, byRow);
  }
}

function sumRows(block: IntegerBlock): void {
  const unsigned = (block.signed != 0) == (block.flip != 0);
  for (let r = 0; r < block.count; r++) {
    const row = stagedRows() + <usize>r * block.pitch;
    store<i32>(scratch + ROW_SUMS + (<usize>r << 2), sumOfRow(block, row, block.pitch, unsigned));
  }
  block.summed = 1;
}

/** Rows of one zero point at a time: all of them, unless each has its own. */
function finishBlock(block: IntegerBlock, e: IntegerEpilogue, first: i32, columns: i32, byRow: bool): void {
  const rows = changetype<FinishedRows>(scratch + FINISHED);
  const size = e.result == IntegerResult.Narrow ? 1 : 4;
  const shift = block.flip ? (block.signed ? 128 : -128) : 0;
  const each = e.xZeroStep ? 1 : block.count;
  rows.columns = columns;
  rows.count = each;
  rows.yStride = block.yStride;
  for (let row = 0; row < block.count; row += each) {
    offsetsFor(e, columns, zeroAt(e.xZero, e.xZeroStep, block.row + row, e.xSigned) + shift);
    rows.y = block.y + <usize>(first * size) + <usize>row * block.yStride;
    rows.sums = scratch + SUMS + (<usize>row << 2) * BLOCK_COLUMNS;
    rows.rowSums = byRow ? scratch + ROW_SUMS + (<usize>row << 2) : 0;
    finishRows(e, rows);
  }
}
