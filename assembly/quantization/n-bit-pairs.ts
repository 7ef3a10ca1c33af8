import { scratch } from '../program';
import { NBitProductParams } from './n-bit-params';
import { addPairs, lowest } from './n-bit-planes';
import { addToRow, bytesOfZeros, minusZeros, ROW_BYTES } from './n-bit-scaling';
import { NBitPanel } from './pack-n-bit';

@inline
function whole(BYTES: bool, sums: v128): v128 {
  return BYTES ? i32x4.extadd_pairwise_i16x8_s(sums) : sums;
}

/**
 * Multiplies four rows with a panel, to the start of the scratch block. Loops over planes: unrolled, V8 keeps several at once, and spills.
 */
@inline
function multiply(BITS: i32, BYTES: bool, p: NBitProductParams, panel: i32, row: i32): void {
  const blocks = <usize>p.blocks * <usize>p.split;
  const rowBytes = (blocks * <usize>p.block) << (BYTES ? 0 : 1);
  const steps = (p.block * BITS) >> 5;
  const mask = lowest(BITS, BYTES);
  const kind = p.zeroPoints, same = p.zeroPoint;
  const zeroBytes = bytesOfZeros(kind);
  const first = <usize>panel * <usize>p.blocks;
  let scales = p.scales + first * ROW_BYTES;
  let zeros = p.zeros + first * zeroBytes;
  const floatBytes = blocks << 2;
  let aScales = p.aScales + <usize>row * floatBytes;
  let sums = p.sums + <usize>row * floatBytes;
  const y = scratch;
  memory.fill(y, 0, 4 * ROW_BYTES);
  let b = p.b + <usize>panel * blocks * <usize>steps * NBitPanel.StepBytes;
  let a0 = p.q + <usize>row * rowBytes, a1 = a0 + rowBytes, a2 = a1 + rowBytes, a3 = a2 + rowBytes;
  for (let block = p.blocks; block; block--, scales += ROW_BYTES, zeros += zeroBytes) {
    for (let part = p.split; part; part--, aScales += 4, sums += 4) {
      const zero = i32x4.splat(0);
      let s00 = zero, s01 = zero, s10 = zero, s11 = zero, s20 = zero, s21 = zero, s30 = zero, s31 = zero;
      for (let step = steps; step; step--) {
        let v0 = v128.load(b), v1 = v128.load(b, 16);
        for (let planes = (BYTES ? 8 : 16) / BITS; planes; planes--) {
          const w0 = v128.and(v0, mask), w1 = v128.and(v1, mask);
          let x = v128.load32_splat(a0);
          s00 = addPairs(BYTES, s00, x, w0);
          s01 = addPairs(BYTES, s01, x, w1);
          x = v128.load32_splat(a1);
          s10 = addPairs(BYTES, s10, x, w0);
          s11 = addPairs(BYTES, s11, x, w1);
          x = v128.load32_splat(a2);
          s20 = addPairs(BYTES, s20, x, w0);
          s21 = addPairs(BYTES, s21, x, w1);
          x = v128.load32_splat(a3);
          s30 = addPairs(BYTES, s30, x, w0);
          s31 = addPairs(BYTES, s31, x, w1);
          v0 = i16x8.shr_u(v0, BITS);
          v1 = i16x8.shr_u(v1, BITS);
          a0 += 4;
          a1 += 4;
          a2 += 4;
          a3 += 4;
        }
        b += NBitPanel.StepBytes;
      }
      const minus0 = minusZeros(kind, same, zeros, 0), minus1 = minusZeros(kind, same, zeros, 4);
      addToRow(kind, zeros, scales, y, aScales, sums, whole(BYTES, s00), whole(BYTES, s01), minus0, minus1);
      addToRow(kind, zeros, scales, y + 1 * ROW_BYTES, aScales + floatBytes, sums + floatBytes, whole(BYTES, s10), whole(BYTES, s11), minus0, minus1);
      addToRow(kind, zeros, scales, y + 2 * ROW_BYTES, aScales + 2 * floatBytes, sums + 2 * floatBytes, whole(BYTES, s20), whole(BYTES, s21), minus0, minus1);
      addToRow(kind, zeros, scales, y + 3 * ROW_BYTES, aScales + 3 * floatBytes, sums + 3 * floatBytes, whole(BYTES, s30), whole(BYTES, s31), minus0, minus1);
    }
  }
}

// Separate functions, so that each can use all registers.

function words2(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(2, false, p, panel, row);
}

function words4(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(4, false, p, panel, row);
}

function words8(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(8, false, p, panel, row);
}

function bytes2(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(2, true, p, panel, row);
}

function bytes4(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(4, true, p, panel, row);
}

/** Rows that `multiplyPairs` computes at once. */
export const PAIR_ROWS: i32 = 4;

export function multiplyPairs(bytes: bool, p: NBitProductParams, panel: i32, row: i32): void {
  if (ASC_FEATURE_RELAXED_SIMD && bytes) {
    if (p.bits == 4) bytes4(p, panel, row);
    else bytes2(p, panel, row);
  } else if (p.bits == 4) words4(p, panel, row);
  else if (p.bits == 8) words8(p, panel, row);
  else words2(p, panel, row);
}
