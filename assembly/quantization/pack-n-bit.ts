import { float16ToFloat } from '../math/float16';

/** Layout of packed weights below 16 bits. */
export const enum NBitPanel {
  /** Columns in a panel. */
  Columns = 8,
  /** Bytes of one step in a panel: 32 / bits rows. */
  StepBytes = 32,
}

/**
 * Packs codes of 2, 4 or 8 bits for `nBitProduct`: element (k, n) of [K, N] is `bits` bits of `codes`, the lowest first, from bit k·rowBits
 * + n·columnBits on, XOR `flip`, which adds 2^(bits-1) to signed codes. `swap`: the upper code in a byte is first. `packed` [ceil(N /
 * 8)][depth · bits / 32][8] consists of words whose lower half has the codes of rows 0, 2, 4 … of 32 / bits, and whose upper half has rows
 * 1, 3, 5 …: a plane of two 16-bit halves thus holds two adjacent rows, as a dot product of 16-bit integers requires. Elements beyond K and
 * N are not read, and are packed as 0. A tile is a panel.
 */
@unmanaged
export class PackNBitCodesParams {
  codes: usize = 0;
  packed: usize = 0;
  k: i32 = 0;
  n: i32 = 0;
  depth: i32 = 0;
  bits: i32 = 0;
  rowBits: i32 = 0;
  columnBits: i32 = 0;
  flip: u32 = 0;
  swap: i32 = 0;
}

export function packNBitCodes(p: PackNBitCodesParams, begin: i32, end: i32): void {
  const rows = 32 / p.bits;
  const steps = p.depth / rows;
  const wordsLieWhole = p.rowBits == p.bits && (p.columnBits & 31) == 0;
  for (let panel = begin; panel < end; panel++) {
    const first = panel * NBitPanel.Columns;
    let to = p.packed + <usize>panel * <usize>steps * NBitPanel.StepBytes;
    for (let step = 0; step < steps; step++, to += NBitPanel.StepBytes) {
      const row = step * rows;
      const isWhole = wordsLieWhole && row + rows <= p.k;
      for (let column = 0; column < NBitPanel.Columns; column++) {
        const n = first + column;
        const word = n >= p.n ? 0 : isWhole ? wordAt(p, row, n) : gatherWord(p, row, n);
        store<u32>(to + ((<usize>column) << 2), word ^ p.flip);
      }
      deinterleave(to, p.bits);
      deinterleave(to + 16, p.bits);
    }
  }
}

@inline
function bitOf(p: PackNBitCodesParams, k: i32, n: i32): u64 {
  return <u64>k * <u64>p.rowBits + <u64>n * <u64>p.columnBits;
}

@inline
function wordAt(p: PackNBitCodesParams, k: i32, n: i32): u32 {
  const word = load<u32>(p.codes + <usize>(bitOf(p, k, n) >> 3));
  return p.swap ? ((word & 0x0f0f0f0f) << 4) | ((word >> 4) & 0x0f0f0f0f) : word;
}

function gatherWord(p: PackNBitCodesParams, row: i32, n: i32): u32 {
  const mask = (1 << p.bits) - 1;
  const rows = min(32 / p.bits, p.k - row);
  let word: u32 = 0;
  for (let i = 0; i < rows; i++) {
    const bit = bitOf(p, row + i, n) ^ (p.swap ? 4 : 0);
    const code = (<u32>load<u8>(p.codes + <usize>(bit >> 3)) >> (<u32>bit & 7)) & mask;
    word |= code << (i * p.bits);
  }
  return word;
}

/** Moves codes at even positions to the lower halves of four words, and those at odd positions to the upper. */
@inline
function deinterleave(at: usize, bits: i32): void {
  const words = v128.load(at);
  const even = compressed(words, bits);
  const odd = compressed(i32x4.shr_u(words, bits), bits);
  v128.store(at, v128.or(even, i32x4.shl(odd, 16)));
}

/** Moves every other code, the lowest first, next to one another into the lower half. */
@inline
function compressed(words: v128, bits: i32): v128 {
  let x = words;
  if (bits == 2) {
    x = v128.and(x, i32x4.splat(0x33333333));
    x = v128.or(x, i32x4.shr_u(x, 2));
  }
  if (bits <= 4) {
    x = v128.and(x, i32x4.splat(0x0f0f0f0f));
    x = v128.or(x, i32x4.shr_u(x, 4));
  }
  x = v128.and(x, i32x4.splat(0x00ff00ff));
  x = v128.or(x, i32x4.shr_u(x, 8));
  return v128.and(x, i32x4.splat(0x0000ffff));
}

/**
 * Packs a number for each block of each column as floats [ceil(N / 8)][blocks][8], 0 beyond N: element (block, n) has index
 * block·blockStride + n·columnStride in `values`, and is a float, or float16 if `bits` is 16. A tile is a panel.
 */
@unmanaged
export class PackBlockFloatsParams {
  values: usize = 0;
  packed: usize = 0;
  n: i32 = 0;
  blocks: i32 = 0;
  blockStride: i32 = 0;
  columnStride: i32 = 0;
  bits: i32 = 0;
}

export function packBlockFloats(p: PackBlockFloatsParams, begin: i32, end: i32): void {
  for (let panel = begin; panel < end; panel++) {
    let to = p.packed + <usize>panel * <usize>p.blocks * (4 * NBitPanel.Columns);
    for (let block = 0; block < p.blocks; block++) {
      for (let column = 0; column < NBitPanel.Columns; column++, to += 4) {
        const n = panel * NBitPanel.Columns + column;
        store<f32>(to, n < p.n ? floatAt(p, block * p.blockStride + n * p.columnStride) : 0);
      }
    }
  }
}

@inline
function floatAt(p: PackBlockFloatsParams, i: i32): f32 {
  return p.bits == 16
    ? float16ToFloat(<u32>load<u16>(p.values + ((<usize>i) << 1)))
    : load<f32>(p.values + ((<usize>i) << 2));
}

/** Like PackBlockFloatsParams for codes of `bits` bits, packed to bytes; strides and `flip` are in bits, as for `packNBitCodes`. */
@unmanaged
export class PackBlockCodesParams {
  codes: usize = 0;
  packed: usize = 0;
  n: i32 = 0;
  blocks: i32 = 0;
  blockBits: i32 = 0;
  columnBits: i32 = 0;
  bits: i32 = 0;
  flip: u32 = 0;
}

export function packBlockCodes(p: PackBlockCodesParams, begin: i32, end: i32): void {
  const mask = (1 << p.bits) - 1;
  for (let panel = begin; panel < end; panel++) {
    let to = p.packed + <usize>panel * <usize>p.blocks * NBitPanel.Columns;
    for (let block = 0; block < p.blocks; block++) {
      for (let column = 0; column < NBitPanel.Columns; column++, to++) {
        const n = panel * NBitPanel.Columns + column;
        const bit = <u64>block * <u64>p.blockBits + <u64>n * <u64>p.columnBits;
        const code = n < p.n ? <u32>load<u8>(p.codes + <usize>(bit >> 3)) >> (<u32>bit & 7) : 0;
        store<u8>(to, (code ^ p.flip) & mask);
      }
    }
  }
}
