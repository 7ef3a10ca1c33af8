import { ceilDiv } from '../ceil-div';
import { Epilogue } from '../epilogue';
import { Block, MatMulTile, multiplyAndActivate, theBlock } from '../matmul/block';
import { beginProduct, MatMulParams, placeTile } from '../matmul/matmul';
import { PANEL } from '../matmul/microkernel';
import { scratch } from '../program';
import { FewRows, multiplyFew } from './few-rows';
import { widenRows } from './widen';

/** Scratch for panels as floats, after the block and its table of rows. */
export const enum WideningRoom {
  Begin = 1024,
  Bytes = 1047552,
}

/**
 * `matmul` with B in float16 from `packHalves`; bit-identical. Strides of B count float16 values. Consecutive tiles of the same columns
 * share the columns as floats, whose `k` · `tileColumns` must fit into WideningRoom; few rows need no floats.
 */
export function halfProduct(p: MatMulParams, begin: i32, end: i32): void {
  const rowBlocks = ceilDiv(p.m, MatMulTile.Rows);
  const columnBlocks = ceilDiv(p.n, p.tileColumns);
  const block = theBlock();
  beginProduct(p, block);
  let widened = -1;
  for (let tile = begin; tile < end; tile++) {
    const columns = tile / rowBlocks;
    const row = (tile % rowBlocks) * MatMulTile.Rows;
    placeTile(p, block, columns / columnBlocks, row, (columns % columnBlocks) * p.tileColumns, 1);
    if (p.m <= FewRows.Most) multiplyFew(block, p);
    else multiplyWidened(block, p, columns != widened);
    widened = columns;
  }
}

function multiplyWidened(block: Block, e: Epilogue, isNew: bool): void {
  const panels = ceilDiv(block.columns, PANEL);
  const floats = scratch + WideningRoom.Begin;
  if (isNew) widenRows(floats, block.b, <usize>panels * <usize>block.depth);
  block.b = floats;
  multiplyAndActivate(block, e);
}
