import { scratch } from '../program';
import { Activations } from './activations';
import { NBitProductParams } from './n-bit-params';
import { addQuads, plane } from './n-bit-planes';
import { addToRow, bytesOfZeros, minusZeros, ROW_BYTES } from './n-bit-scaling';
import { NBitPanel } from './pack-n-bit';

// Multiplies rows with a panel whose codes have been unpacked for all rows: relaxed dot products take no longer than unpacking.

/** Scratch: codes as bytes, [depth / 4][8 columns][4]. */
const CODES: usize = 512;

/** The largest depth whose codes fit there. */
export const MAX_DEPTH: i32 = ((1 << 20) - 512) / NBitPanel.Columns;

@inline
function unpack(BITS: i32, from: usize, end: usize): void {
  for (let to = scratch + CODES; from < end; from += NBitPanel.StepBytes, to += 32 * (8 / BITS)) {
    const v0 = v128.load(from), v1 = v128.load(from, 16);
    v128.store(to, plane(BITS, true, 0, v0));
    v128.store(to, plane(BITS, true, 0, v1), 16);
    v128.store(to, plane(BITS, true, 1, v0), 32);
    v128.store(to, plane(BITS, true, 1, v1), 48);
    if (BITS == 4) continue;
    v128.store(to, plane(BITS, true, 2, v0), 64);
    v128.store(to, plane(BITS, true, 2, v1), 80);
    v128.store(to, plane(BITS, true, 3, v0), 96);
    v128.store(to, plane(BITS, true, 3, v1), 112);
  }
}

export function unpackCodes(p: NBitProductParams, panel: i32): void {
  const bytes = (<usize>p.blocks * <usize>p.split * <usize>p.block * <usize>p.bits >> 5) * NBitPanel.StepBytes;
  const from = p.b + <usize>panel * bytes;
  if (p.bits == 4) unpack(4, from, from + bytes);
  else unpack(2, from, from + bytes);
}

/** Combines products of the high and the low bytes of words. */
@inline
function joined(high: v128, low: v128): v128 {
  return i32x4.add(i32x4.shl(high, 8), low);
}

/** Multiplies four rows of bytes, or two of words; words have the high bytes of each quad first, then the low ones. */
@inline
function multiply(WORDS: bool, p: NBitProductParams, panel: i32, row: i32): void {
  const kind = p.zeroPoints, same = p.zeroPoint;
  const zeroBytes = bytesOfZeros(kind);
  const rowBlocks = <usize>p.blocks * <usize>p.split, rowFloats = rowBlocks << 2;
  const rowBytes = (rowBlocks * <usize>p.block) << (WORDS ? 1 : 0);
  const y = scratch;
  memory.fill(y, 0, (WORDS ? 2 : 4) * ROW_BYTES);
  let w = scratch + CODES;
  let a = p.q + <usize>row * rowBytes, b = a + rowBytes, c = b + rowBytes, d = c + rowBytes;
  let aScales = p.aScales + <usize>row * rowFloats, sums = p.sums + <usize>row * rowFloats;
  let scales = p.scales + <usize>panel * <usize>p.blocks * ROW_BYTES;
  let zeros = p.zeros + <usize>panel * <usize>p.blocks * zeroBytes;
  for (let block = p.blocks; block; block--, scales += ROW_BYTES, zeros += zeroBytes) {
    for (let part = p.split; part; part--, aScales += 4, sums += 4) {
      const zero = i32x4.splat(0);
      let s00 = zero, s01 = zero, s10 = zero, s11 = zero, s20 = zero, s21 = zero, s30 = zero, s31 = zero;
      for (const end = w + ((<usize>p.block) << 3); w < end; w += 64) {
        let w0 = v128.load(w), w1 = v128.load(w, 16);
        let x = v128.load32_splat(a);
        s00 = addQuads(s00, x, w0);
        s01 = addQuads(s01, x, w1);
        x = WORDS ? v128.load32_splat(a, 4) : v128.load32_splat(b);
        s10 = addQuads(s10, x, w0);
        s11 = addQuads(s11, x, w1);
        x = WORDS ? v128.load32_splat(b) : v128.load32_splat(c);
        s20 = addQuads(s20, x, w0);
        s21 = addQuads(s21, x, w1);
        x = WORDS ? v128.load32_splat(b, 4) : v128.load32_splat(d);
        s30 = addQuads(s30, x, w0);
        s31 = addQuads(s31, x, w1);
        w0 = v128.load(w, 32);
        w1 = v128.load(w, 48);
        x = WORDS ? v128.load32_splat(a, 8) : v128.load32_splat(a, 4);
        s00 = addQuads(s00, x, w0);
        s01 = addQuads(s01, x, w1);
        x = WORDS ? v128.load32_splat(a, 12) : v128.load32_splat(b, 4);
        s10 = addQuads(s10, x, w0);
        s11 = addQuads(s11, x, w1);
        x = WORDS ? v128.load32_splat(b, 8) : v128.load32_splat(c, 4);
        s20 = addQuads(s20, x, w0);
        s21 = addQuads(s21, x, w1);
        x = WORDS ? v128.load32_splat(b, 12) : v128.load32_splat(d, 4);
        s30 = addQuads(s30, x, w0);
        s31 = addQuads(s31, x, w1);
        a += WORDS ? 16 : 8;
        b += WORDS ? 16 : 8;
        if (!WORDS) {
          c += 8;
          d += 8;
        }
      }
      const minus0 = minusZeros(kind, same, zeros, 0), minus1 = minusZeros(kind, same, zeros, 4);
      if (WORDS) {
        addToRow(kind, zeros, scales, y, aScales, sums, joined(s00, s10), joined(s01, s11), minus0, minus1);
        addToRow(kind, zeros, scales, y + ROW_BYTES, aScales + rowFloats, sums + rowFloats, joined(s20, s30), joined(s21, s31), minus0, minus1);
      } else {
        addToRow(kind, zeros, scales, y, aScales, sums, s00, s01, minus0, minus1);
        addToRow(kind, zeros, scales, y + ROW_BYTES, aScales + rowFloats, sums + rowFloats, s10, s11, minus0, minus1);
        addToRow(kind, zeros, scales, y + 2 * ROW_BYTES, aScales + 2 * rowFloats, sums + 2 * rowFloats, s20, s21, minus0, minus1);
        addToRow(kind, zeros, scales, y + 3 * ROW_BYTES, aScales + 3 * rowFloats, sums + 3 * rowFloats, s30, s31, minus0, minus1);
      }
    }
  }
}

// Separate functions, so that each can use all registers.

function wordRows(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(true, p, panel, row);
}

function byteRows(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(false, p, panel, row);
}

/** Rows that `multiplyQuads` computes at once. */
@inline
export function quadRows(form: Activations): i32 {
  return form == Activations.WordQuads ? 2 : 4;
}

export function multiplyQuads(form: Activations, p: NBitProductParams, panel: i32, row: i32): void {
  if (form == Activations.WordQuads) wordRows(p, panel, row);
  else byteRows(p, panel, row);
}
