/**
 * Rows of floats in blocks as 16-bit integers: x ≈ scale · q, where scale is the block's largest magnitude / 32767.
 * `x` [rows, columns] of floats; `q` [rows, blocks, block], zero beyond the columns; `scales` and `sums` (of the block's q,
 * exact below 2²⁴, that is for blocks of at most 512) [rows, blocks] of floats. `block` is a multiple of 8. A block with a NaN or
 * an infinity has scale NaN. Tiles: rows · blocks.
 */
@unmanaged
export class QuantizeBlocksParams {
  x: usize = 0;
  q: usize = 0;
  scales: usize = 0;
  sums: usize = 0;
  columns: i32 = 0;
  block: i32 = 0;
  blocks: i32 = 0;
}

const LARGEST: f32 = 32767;

export function quantizeBlocks(p: QuantizeBlocksParams, begin: i32, end: i32): void {
  for (let tile = begin; tile < end; tile++) {
    const column = (tile % p.blocks) * p.block;
    const from = p.x + (<usize>(tile / p.blocks) * <usize>p.columns + <usize>column) * 4;
    const q = p.q + <usize>tile * <usize>p.block * 2;
    const at = <usize>tile << 2;
    const count = min(p.block, p.columns - column);
    const largest = largestMagnitude(from, count);
    const scale = largest < <f32>Infinity ? largest / LARGEST : <f32>NaN;
    store<f32>(p.scales + at, scale);
    const inverse: f32 = largest > 0 && largest < <f32>Infinity ? LARGEST / largest : 0;
    store<f32>(p.sums + at, <f32>quantize(from, q, count, p.block, inverse));
  }
}

/** Infinity where one is NaN. */
function largestMagnitude(from: usize, count: i32): f32 {
  let largest: f32 = 0;
  for (let i = 0; i < count; i++) {
    const magnitude = abs(load<f32>(from + (<usize>i << 2)));
    if (!(magnitude <= largest)) largest = magnitude == magnitude ? magnitude : <f32>Infinity;
  }
  return largest;
}

/** Returns the sum of the integers. */
function quantize(from: usize, q: usize, count: i32, block: i32, inverse: f32): i32 {
  let sum = 0;
  for (let i = 0; i < block; i++) {
    const value = i < count && inverse > 0 ? <i32>nearest(load<f32>(from + (<usize>i << 2)) * inverse) : 0;
    store<i16>(q + (<usize>i << 1), <i16>value);
    sum += value;
  }
  return sum;
}
