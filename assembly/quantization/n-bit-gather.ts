import { indexAt } from '../indices';
import { float16ToFloat } from '../math/float16';
import { ZeroPoints } from './n-bit-params';
import { NBitPanel } from './pack-n-bit';

/**
 * Gathers columns of a matrix [K, N] of 2, 4 or 8 bits as floats: row r of y [count, K] is column `indices[r]`, whose element k is (code −
 * zero point) · scale. A block of `block` elements of a column shares scale and zero point. Stored format: code (k, n) is `bits` bits from
 * bit k·rowBits + n·columnBits of `codes` on, with its highest bit flipped by `sign`; scale (block, n) has index block·scaleBlock +
 * n·scaleColumn and `scaleBits` bits; zero points are codes too, at bits block·zeroBlock + n·zeroColumn, or numbers of `zeroBits` at these
 * indices. `inPanels`: all three are packed by `packNBitCodes`, `packBlockFloats` and `packBlockCodes`, and strides are not used. Indices
 * and flag are as in gather. A tile is `tileRows` rows of y.
 */
@unmanaged
export class NBitGatherParams {
  indices: usize = 0;
  codes: usize = 0;
  scales: usize = 0;
  zeros: usize = 0;
  y: usize = 0;
  flag: usize = 0;
  indexBytes: i32 = 0;
  count: i32 = 0;
  k: i32 = 0;
  n: i32 = 0;
  bits: i32 = 0;
  block: i32 = 0;
  blocks: i32 = 0;
  inPanels: i32 = 0;
  rowBits: i32 = 0;
  columnBits: i32 = 0;
  sign: i32 = 0;
  scaleBits: i32 = 0;
  scaleBlock: i32 = 0;
  scaleColumn: i32 = 0;
  zeroPoints: i32 = 0;
  zeroPoint: i32 = 0;
  zeroBits: i32 = 0;
  zeroBlock: i32 = 0;
  zeroColumn: i32 = 0;
  tileRows: i32 = 0;
}

export function nBitGather(p: NBitGatherParams, begin: i32, end: i32): void {
  const last = min(end * p.tileRows, p.count);
  for (let row = begin * p.tileRows; row < last; row++) {
    const n = <i32>indexAt(p.indices, <usize>row, p.indexBytes, p.n, p.flag);
    const y = p.y + ((<usize>row * <usize>p.k) << 2);
    for (let block = 0; block < p.blocks; block++) {
      if (p.inPanels) blockOfPanel(p, n, block, y);
      else blockAsStored(p, n, block, y);
    }
  }
}

function blockAsStored(p: NBitGatherParams, n: i32, block: i32, y: usize): void {
  const scale = numberAt(p.scales, p.scaleBits, block * p.scaleBlock + n * p.scaleColumn);
  const zero = zeroAsStored(p, n, block);
  const first = block * p.block;
  let bit = <u64>first * <u64>p.rowBits + <u64>n * <u64>p.columnBits;
  const to = min(first + p.block, p.k);
  for (let k = first; k < to; k++, bit += p.rowBits) {
    store<f32>(y + (<usize>k << 2), (<f32>(codeAt(p.codes, bit, p.bits) ^ p.sign) - zero) * scale);
  }
}

function blockOfPanel(p: NBitGatherParams, n: i32, block: i32, y: usize): void {
  const panel = n / NBitPanel.Columns, column = n % NBitPanel.Columns;
  const place = (panel * p.blocks + block) * NBitPanel.Columns + column;
  const scale = numberAt(p.scales, 32, place);
  const zero = p.zeroPoints == ZeroPoints.Same ? <f32>p.zeroPoint
    : p.zeroPoints == ZeroPoints.Bytes ? <f32>load<u8>(p.zeros + <usize>place)
    : numberAt(p.zeros, 32, place);
  const rows = 32 / p.bits;
  const steps = <usize>(p.blocks * p.block / rows);
  const words = p.codes + <usize>panel * steps * NBitPanel.StepBytes + (<usize>column << 2);
  const mask = (1 << p.bits) - 1;
  const to = min((block + 1) * p.block, p.k);
  for (let k = block * p.block; k < to; k++) {
    const inWord = k % rows;
    const word = load<u32>(words + <usize>(k / rows) * NBitPanel.StepBytes);
    const code = (word >> ((inWord & 1) * 16 + (inWord >> 1) * p.bits)) & mask;
    store<f32>(y + (<usize>k << 2), (<f32>code - zero) * scale);
  }
}

function zeroAsStored(p: NBitGatherParams, n: i32, block: i32): f32 {
  if (p.zeroPoints == ZeroPoints.Same) return <f32>p.zeroPoint;
  const place = block * p.zeroBlock + n * p.zeroColumn;
  return p.zeroPoints == ZeroPoints.Floats ? numberAt(p.zeros, p.zeroBits, place)
    : <f32>(codeAt(p.zeros, place, p.bits) ^ p.sign);
}

@inline
function codeAt(codes: usize, bit: u64, bits: i32): u32 {
  return ((<u32>load<u8>(codes + <usize>(bit >> 3))) >> (<u32>bit & 7)) & ((1 << bits) - 1);
}

@inline
function numberAt(numbers: usize, bits: i32, i: i32): f32 {
  return bits == 16
    ? float16ToFloat(<u32>load<u16>(numbers + (<usize>i << 1)))
    : load<f32>(numbers + (<usize>i << 2));
}
