import { ceilDiv } from '../ceil-div';
import { IntegerEpilogue } from './integer-epilogue';
import { endRow, IntegerBlock, integerBlock, IntegerTile, isReady, multiplyIntegers, rowsAtOnce, stagedRows } from './integer-block';
import { panelBytesOf } from './integer-pack';
import { stageRun } from './integer-rows';

/**
 * Y[o,i] = finish((A[o,i] − aZero) · (B[o,i] − bZero)) for o < outer, i < inner, with 8-bit integers and 32-bit sums. Rows of A are
 * contiguous, aRowStride apart; packIntegers packs B. Strides count elements, or matrices for B; row r of every A has zero point r.
 * Tiles: outer · inner · ceil(M / IntegerTile.Rows) · ceil(N / IntegerTile.Columns).
 */
@unmanaged
export class IntegerMatMulParams extends IntegerEpilogue {
  a: usize = 0;
  b: usize = 0;
  y: usize = 0;
  dots: i32 = 0;
  m: i32 = 0;
  n: i32 = 0;
  k: i32 = 0;
  outer: i32 = 1;
  inner: i32 = 1;
  aRowStride: i32 = 0;
  aOuterStride: i32 = 0;
  aInnerStride: i32 = 0;
  bOuterStride: i32 = 0;
  bInnerStride: i32 = 0;
  yRowStride: i32 = 0;
  yOuterStride: i32 = 0;
  yInnerStride: i32 = 0;
}

export function integerMatMul(p: IntegerMatMulParams, begin: i32, end: i32): void {
  const rowBlocks = ceilDiv(p.m, IntegerTile.Rows);
  const columnBlocks = ceilDiv(p.n, IntegerTile.Columns);
  const block = integerBlock(p.dots, p, p.k);
  const matrixBytes = <usize>((p.n + 7) / IntegerTile.Panel) * panelBytesOf(p.k, block.quads ? 4 : 2);
  const size = p.result == 2 ? 1 : 4;
  const pass = rowsAtOnce(block);
  const ready = isReady(block);
  if (ready) block.pitch = <usize>p.aRowStride;
  block.yStride = <usize>(p.yRowStride * size);
  block.column = 0;
  for (let tile = begin; tile < end; ) {
    const first = tile % columnBlocks;
    const blocks = min(columnBlocks - first, end - tile);
    const rest = tile / columnBlocks;
    const batch = rest / rowBlocks;
    const inner = batch % p.inner, outer = batch / p.inner;
    block.first = first * IntegerTile.Columns;
    block.end = min<i32>((first + blocks) * IntegerTile.Columns, p.n);
    block.b = p.b + <usize>(outer * p.bOuterStride + inner * p.bInnerStride) * matrixBytes;
    const a = p.a + <usize>(outer * p.aOuterStride + inner * p.aInnerStride);
    const y = p.y + <usize>(outer * p.yOuterStride + inner * p.yInnerStride) * <usize>size;
    const firstRow = (rest % rowBlocks) * IntegerTile.Rows;
    const endRows = min<i32>(firstRow + IntegerTile.Rows, p.m);
    for (let row = firstRow; row < endRows; row += pass) {
      block.row = row;
      block.count = min(pass, endRows - row);
      block.summed = 0;
      block.y = y + <usize>row * block.yStride;
      const from = a + <usize>row * <usize>p.aRowStride;
      if (ready) block.rows = from;
      else stageMatrix(p, block, from);
      multiplyIntegers(block, p);
    }
    tile += blocks;
  }
}

function stageMatrix(p: IntegerMatMulParams, block: IntegerBlock, from: usize): void {
  let to = stagedRows();
  for (let r = 0; r < block.count; r++, to += block.pitch, from += <usize>p.aRowStride) endRow(block, stageRun(block, to, from, p.k), to);
}
