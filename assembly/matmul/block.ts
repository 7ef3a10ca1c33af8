import { Activation, activateRun, Epilogue } from '../epilogue';
import { scratch } from '../program';
import { multiplyHalf, multiplyRow, multiplyRows, Output, PANEL, ROWS } from './microkernel';

/** Tiling of products and convolutions: a tile is Rows × Columns of the result. */
export const enum MatMulTile {
  Rows = 60,
  Columns = 64,
  /** Columns of a packed panel. */
  Panel = 8,
}

/**
 * A block of a product: `count` × `columns` sums over `segments` × `depth`. `rows` is the table of row addresses [ceil(count /
 * ROWS)][segments][≤ ROWS], `step` the bytes between a row's values, `b` the first packed panel. Strides are bytes from row to row; `bias`
 * and `residual` point to the first column and element, or are 0.
 */
@unmanaged
export class Block {
  rows: usize = 0;
  count: i32 = 0;
  segments: i32 = 0;
  depth: i32 = 0;
  step: usize = 0;
  b: usize = 0;
  columns: i32 = 0;
  y: usize = 0;
  yStride: usize = 0;
  bias: usize = 0;
  residual: usize = 0;
  residualStride: usize = 0;
  /** Whether the product has one row and at least WIDE columns. Rows of larger products give the same bits however they are divided. */
  isRow: bool = false;
}

/** Number of columns from which on a single row is summed in multiplyRow's order. */
export const WIDE: i32 = 4 * PANEL;

const OUTPUT: usize = 64;
const RAGGED_BIAS: usize = 128;
const RAGGED_Y: usize = 192;
const RAGGED_RESIDUAL: usize = 448;
const RAGGED_STRIDE: usize = 4 * PANEL;

/** Scratch below this offset holds the block and its staging; a kernel may build its row table above it. */
export const BLOCK_SCRATCH: usize = 704;

@inline
export function theBlock(): Block {
  return changetype<Block>(scratch);
}

@inline
export function theOutput(low: f32, high: f32): Output {
  const out = changetype<Output>(scratch + OUTPUT);
  out.low = low;
  out.high = high;
  return out;
}

/** Panels in the outer loop, row tiles in the inner: a panel stays in L1 while the block's rows, in L2, pass by. */
export function multiplyBlock(block: Block, low: f32, high: f32): void {
  const out = theOutput(low, high);
  const panelBytes = <usize>block.segments * <usize>block.depth * (4 * PANEL);
  const whole = block.columns & -PANEL;
  let column = 0;
  let b = block.b;
  for (; column < whole; column += PANEL, b += panelBytes) multiplyPanel(block, column, b, out);
  if (column < block.columns) multiplyRaggedPanel(block, column, b, out);
}

/** Sets the output, bias and residual for the sums from `row` and `column` on. */
@inline
export function place(out: Output, block: Block, column: i32, row: i32): void {
  const offset = <usize>column << 2;
  out.y = block.y + <usize>row * block.yStride + offset;
  out.yStride = block.yStride;
  out.bias = block.bias ? block.bias + offset : 0;
  out.residual = block.residual ? block.residual + <usize>row * block.residualStride + offset : 0;
  out.residualStride = block.residualStride;
}

@inline
function rowTile(block: Block, row: i32): usize {
  return block.rows + ((<usize>row * <usize>block.segments) << 2);
}

/** Multiplies `count` ≤ ROWS rows with one panel. */
function multiplyTile(block: Block, count: i32, rows: usize, b: usize, out: Output): void {
  if (block.isRow) multiplyRow(load<usize>(rows), block.depth, b, out);
  else multiplyRows(count, rows, block.segments, block.depth, block.step, b, out);
}

function multiplyPanel(block: Block, column: i32, b: usize, out: Output): void {
  for (let row = 0; row < block.count; row += ROWS) {
    place(out, block, column, row);
    multiplyTile(block, min(ROWS, block.count - row), rowTile(block, row), b, out);
  }
}

/** The last columns if they do not fill a panel: staged, so that nothing next to them is read or written. */
function multiplyRaggedPanel(block: Block, column: i32, b: usize, out: Output): void {
  const bytes = <usize>(block.columns - column) << 2;
  const y = scratch + RAGGED_Y, bias = scratch + RAGGED_BIAS, residual = scratch + RAGGED_RESIDUAL;
  for (let row = 0; row < block.count; row += ROWS) {
    const count = min(ROWS, block.count - row);
    place(out, block, column, row);
    const to = out.y;
    if (out.bias) {
      copyRows(bias, 0, out.bias, 0, 1, bytes);
      out.bias = bias;
    }
    if (out.residual) {
      copyRows(residual, RAGGED_STRIDE, out.residual, out.residualStride, count, bytes);
      out.residual = residual;
      out.residualStride = RAGGED_STRIDE;
    }
    out.y = y;
    out.yStride = RAGGED_STRIDE;
    const rows = rowTile(block, row);
    if (bytes <= 16 && count == ROWS) multiplyHalf(rows, block.segments, block.depth, block.step, b, out);
    else multiplyTile(block, count, rows, b, out);
    copyRows(to, block.yStride, y, RAGGED_STRIDE, count, bytes);
  }
}

function copyRows(to: usize, toStride: usize, from: usize, fromStride: usize, rows: i32, bytes: usize): void {
  for (; rows; rows--, to += toStride, from += fromStride) {
    for (let at: usize = 0; at < bytes; at += 4) store<f32>(to + at, load<f32>(from + at));
  }
}

/** Computes a block and its activation: in registers for a clip, otherwise while the block is in cache. */
export function multiplyAndActivate(block: Block, e: Epilogue): void {
  multiplyBlock(block, lowest(e), highest(e));
  if (e.activation <= Activation.Clip) return;
  let y = block.y;
  for (let row = 0; row < block.count; row++, y += block.yStride) {
    activateRun(y, block.columns, e.activation, e.alpha, e.beta);
  }
}

@inline
export function lowest(e: Epilogue): f32 {
  return e.activation == Activation.Clip ? e.alpha : -Infinity;
}

@inline
export function highest(e: Epilogue): f32 {
  return e.activation == Activation.Clip ? e.beta : Infinity;
}
