import { ceilDiv } from '../ceil-div';
import { Epilogue } from '../epilogue';
import { scratch } from '../program';
import { Block, BLOCK_SCRATCH, MatMulTile, multiplyAndActivate, theBlock, WIDE } from './block';

/**
 * Y[o,i] = activate(A[o,i] · B[o,i] + bias[i,N] + residual[o,i]) for o < outer, i < inner (for attention: batches and heads; for 1×1
 * convolutions: groups). A is any M × K view: element (m, k) at m·aRowStride + k·aColumnStride; B is packed by packMatMulB; rows of Y and
 * of the residual are contiguous. Strides count floats; an outer or inner stride of 0 broadcasts.
 * A tile is MatMulTile.Rows × tileColumns, a multiple of MatMulTile.Panel: tiles = outer · inner · ceil(M / Rows) · ceil(N / tileColumns).
 */
@unmanaged
export class MatMulParams extends Epilogue {
  a: usize = 0;
  b: usize = 0;
  y: usize = 0;
  m: i32 = 0;
  n: i32 = 0;
  k: i32 = 0;
  outer: i32 = 1;
  inner: i32 = 1;
  aRowStride: i32 = 0;
  aColumnStride: i32 = 1;
  aOuterStride: i32 = 0;
  aInnerStride: i32 = 0;
  bOuterStride: i32 = 0;
  bInnerStride: i32 = 0;
  yRowStride: i32 = 0;
  yOuterStride: i32 = 0;
  yInnerStride: i32 = 0;
  residualRowStride: i32 = 0;
  residualOuterStride: i32 = 0;
  residualInnerStride: i32 = 0;
  biasInnerStride: i32 = 0;
  tileColumns: i32 = 0;
}

@inline
function bytes(count: i32, stride: i32): usize {
  return (<usize>count * <usize>stride) << 2;
}

@inline
export function beginProduct(p: MatMulParams, block: Block): void {
  block.rows = scratch + BLOCK_SCRATCH;
  block.isRow = p.m == 1 && p.n >= WIDE && p.aColumnStride == 1;
  block.segments = 1;
  block.depth = p.k;
  block.step = <usize>p.aColumnStride << 2;
  block.yStride = <usize>p.yRowStride << 2;
  block.residualStride = <usize>p.residualRowStride << 2;
}

/** Sets the block to the tile from `row` and `column` on; elements of B have 2^`shift` bytes. */
@inline
export function placeTile(p: MatMulParams, block: Block, batch: i32, row: i32, column: i32, shift: usize): void {
  const inner = batch % p.inner;
  const outer = batch / p.inner;
  block.count = min<i32>(MatMulTile.Rows, p.m - row);
  block.columns = min<i32>(p.tileColumns, p.n - column);
  const offset = <usize>column << 2;
  let a = p.a + bytes(outer, p.aOuterStride) + bytes(inner, p.aInnerStride) + bytes(row, p.aRowStride);
  for (let r = 0; r < block.count; r++, a += bytes(1, p.aRowStride)) store<usize>(block.rows + ((<usize>r) << 2), a);
  const b = <usize>outer * <usize>p.bOuterStride + <usize>inner * <usize>p.bInnerStride + <usize>column * <usize>p.k;
  block.b = p.b + (b << shift);
  block.y = p.y + bytes(outer, p.yOuterStride) + bytes(inner, p.yInnerStride) + bytes(row, p.yRowStride) + offset;
  block.bias = p.bias ? p.bias + bytes(inner, p.biasInnerStride) + offset : 0;
  block.residual = p.residual
    ? p.residual +
      bytes(outer, p.residualOuterStride) +
      bytes(inner, p.residualInnerStride) +
      bytes(row, p.residualRowStride) +
      offset
    : 0;
}

/** Floats of B that stay in a core's cache while the tiles of all matrices follow one another. */
const KEPT: i32 = 1 << 15;

/**
 * The number of matrices of `inner` that alternate in a block of rows: all, if their rows are adjacent and their B are small, as in a
 * grouped convolution. Then a thread's share is the same rows in every step, most of which it has written itself.
 */
@inline
function inTurn(p: MatMulParams): i32 {
  return p.aInnerStride < p.aRowStride && p.bInnerStride <= KEPT / p.inner ? p.inner : 1;
}

export function matmul(p: MatMulParams, begin: i32, end: i32): void {
  const rowBlocks = ceilDiv(p.m, MatMulTile.Rows);
  const columnBlocks = ceilDiv(p.n, p.tileColumns);
  const turns = inTurn(p);
  const block = theBlock();
  beginProduct(p, block);
  for (let tile = begin; tile < end; tile++) {
    const rest = tile / columnBlocks, rows = rest / turns;
    const batch = (rows / rowBlocks) * turns + (rest % turns);
    placeTile(p, block, batch, (rows % rowBlocks) * MatMulTile.Rows, (tile % columnBlocks) * p.tileColumns, 2);
    multiplyAndActivate(block, p);
  }
}
