import { scratch } from '../program';
import { Activations } from './activations';
import { NBitProductParams } from './n-bit-params';
import { addQuads, plane } from './n-bit-planes';
import { addToRow, bytesOfZeros, minusZeros, ROW_BYTES } from './n-bit-scaling';
import { NBitPanel } from './pack-n-bit';

// Rows × a panel whose codes have been unpacked for all of them, since relaxed dot products take no more time than that.

/** Of the scratch block: codes as bytes, [depth / 4][8 columns][4]. */
const CODES: usize = 512;

/** Depths whose codes fit there. */
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

/** Two rows of words: the high bytes of each quad, and the low ones. */
function wordRows(p: NBitProductParams, panel: i32, row: i32): void {
  const blocks = <usize>p.blocks * <usize>p.split;
  const rowBytes = (blocks * <usize>p.block) << 1;
  const kind = p.zeroPoints, same = p.zeroPoint, split = p.split;
  const zeroBytes = bytesOfZeros(kind);
  const first = <usize>panel * <usize>p.blocks;
  let scales = p.scales + first * ROW_BYTES;
  let zeros = p.zeros + first * zeroBytes;
  const floatBytes = blocks << 2;
  let aScales = p.aScales + <usize>row * floatBytes;
  let sums = p.sums + <usize>row * floatBytes;
  let left = split;
  const y = scratch;
  memory.fill(y, 0, 2 * ROW_BYTES);
  let w = scratch + CODES;
  let a = p.q + <usize>row * rowBytes, b = a + rowBytes;
  for (let block = 0; block < <i32>blocks; block++) {
    const zero = i32x4.splat(0);
    let s00 = zero, s01 = zero, t00 = zero, t01 = zero, s10 = zero, s11 = zero, t10 = zero, t11 = zero;
    for (const end = w + ((<usize>p.block) << 3); w < end; w += 64, a += 16, b += 16) {
      let w0 = v128.load(w), w1 = v128.load(w, 16);
      let x = v128.load32_splat(a);
      s00 = addQuads(s00, x, w0);
      s01 = addQuads(s01, x, w1);
      x = v128.load32_splat(a, 4);
      t00 = addQuads(t00, x, w0);
      t01 = addQuads(t01, x, w1);
      x = v128.load32_splat(b);
      s10 = addQuads(s10, x, w0);
      s11 = addQuads(s11, x, w1);
      x = v128.load32_splat(b, 4);
      t10 = addQuads(t10, x, w0);
      t11 = addQuads(t11, x, w1);
      w0 = v128.load(w, 32);
      w1 = v128.load(w, 48);
      x = v128.load32_splat(a, 8);
      s00 = addQuads(s00, x, w0);
      s01 = addQuads(s01, x, w1);
      x = v128.load32_splat(a, 12);
      t00 = addQuads(t00, x, w0);
      t01 = addQuads(t01, x, w1);
      x = v128.load32_splat(b, 8);
      s10 = addQuads(s10, x, w0);
      s11 = addQuads(s11, x, w1);
      x = v128.load32_splat(b, 12);
      t10 = addQuads(t10, x, w0);
      t11 = addQuads(t11, x, w1);
    }
    const minus0 = minusZeros(kind, same, zeros, 0), minus1 = minusZeros(kind, same, zeros, 4);
    addToRow(kind, zeros, scales, y, aScales, sums, i32x4.add(i32x4.shl(s00, 8), t00), i32x4.add(i32x4.shl(s01, 8), t01), minus0, minus1);
    addToRow(kind, zeros, scales, y + 1 * ROW_BYTES, aScales + floatBytes, sums + floatBytes, i32x4.add(i32x4.shl(s10, 8), t10), i32x4.add(i32x4.shl(s11, 8), t11), minus0, minus1);
    aScales += 4;
    sums += 4;
    if (--left) continue;
    left = split;
    scales += ROW_BYTES;
    zeros += zeroBytes;
  }
}

/** Four rows of bytes. */
function byteRows(p: NBitProductParams, panel: i32, row: i32): void {
  const blocks = <usize>p.blocks * <usize>p.split;
  const rowBytes = blocks * <usize>p.block;
  const kind = p.zeroPoints, same = p.zeroPoint, split = p.split;
  const zeroBytes = bytesOfZeros(kind);
  const first = <usize>panel * <usize>p.blocks;
  let scales = p.scales + first * ROW_BYTES;
  let zeros = p.zeros + first * zeroBytes;
  const floatBytes = blocks << 2;
  let aScales = p.aScales + <usize>row * floatBytes;
  let sums = p.sums + <usize>row * floatBytes;
  let left = split;
  const y = scratch;
  memory.fill(y, 0, 4 * ROW_BYTES);
  let w = scratch + CODES;
  let a = p.q + <usize>row * rowBytes, b = a + rowBytes, c = b + rowBytes, d = c + rowBytes;
  for (let block = 0; block < <i32>blocks; block++) {
    const zero = i32x4.splat(0);
    let s00 = zero, s01 = zero, s10 = zero, s11 = zero, s20 = zero, s21 = zero, s30 = zero, s31 = zero;
    for (const end = w + ((<usize>p.block) << 3); w < end; w += 64, a += 8, b += 8, c += 8, d += 8) {
      let w0 = v128.load(w), w1 = v128.load(w, 16);
      let x = v128.load32_splat(a);
      s00 = addQuads(s00, x, w0);
      s01 = addQuads(s01, x, w1);
      x = v128.load32_splat(b);
      s10 = addQuads(s10, x, w0);
      s11 = addQuads(s11, x, w1);
      x = v128.load32_splat(c);
      s20 = addQuads(s20, x, w0);
      s21 = addQuads(s21, x, w1);
      x = v128.load32_splat(d);
      s30 = addQuads(s30, x, w0);
      s31 = addQuads(s31, x, w1);
      w0 = v128.load(w, 32);
      w1 = v128.load(w, 48);
      x = v128.load32_splat(a, 4);
      s00 = addQuads(s00, x, w0);
      s01 = addQuads(s01, x, w1);
      x = v128.load32_splat(b, 4);
      s10 = addQuads(s10, x, w0);
      s11 = addQuads(s11, x, w1);
      x = v128.load32_splat(c, 4);
      s20 = addQuads(s20, x, w0);
      s21 = addQuads(s21, x, w1);
      x = v128.load32_splat(d, 4);
      s30 = addQuads(s30, x, w0);
      s31 = addQuads(s31, x, w1);
    }
    const minus0 = minusZeros(kind, same, zeros, 0), minus1 = minusZeros(kind, same, zeros, 4);
    addToRow(kind, zeros, scales, y, aScales, sums, s00, s01, minus0, minus1);
    addToRow(kind, zeros, scales, y + 1 * ROW_BYTES, aScales + floatBytes, sums + floatBytes, s10, s11, minus0, minus1);
    addToRow(kind, zeros, scales, y + 2 * ROW_BYTES, aScales + 2 * floatBytes, sums + 2 * floatBytes, s20, s21, minus0, minus1);
    addToRow(kind, zeros, scales, y + 3 * ROW_BYTES, aScales + 3 * floatBytes, sums + 3 * floatBytes, s30, s31, minus0, minus1);
    aScales += 4;
    sums += 4;
    if (--left) continue;
    left = split;
    scales += ROW_BYTES;
    zeros += zeroBytes;
  }
}

/** Rows of which `multiplyQuads` takes as many at once. */
@inline
export function quadRows(form: Activations): i32 {
  return form == Activations.WordQuads ? 2 : 4;
}

export function multiplyQuads(form: Activations, p: NBitProductParams, panel: i32, row: i32): void {
  if (form == Activations.WordQuads) wordRows(p, panel, row);
  else byteRows(p, panel, row);
}
