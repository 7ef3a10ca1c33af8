import { scratch } from '../program';
import { Activations } from './activations';
import { NBitProductParams } from './n-bit-params';
import { addPairs, addQuads, plane } from './n-bit-planes';
import { addBlock, bytesOfZeros, minusZeros, ROW_BYTES } from './n-bit-scaling';
import { NBitPanel } from './pack-n-bit';

/** Sums as 32-bit integers. Sums of byte pairs have 16 bits; for WordQuads, `t` sums the low bytes. */
@inline
function whole(FORM: Activations, s: v128, t: v128): v128 {
  if (FORM == Activations.BytePairs) return i32x4.extadd_pairwise_i16x8_s(s);
  return FORM == Activations.WordQuads ? i32x4.add(i32x4.shl(s, 8), t) : s;
}

/** Multiplies one row with a panel, to the start of the scratch block. Planes are unrolled: a loop would shift twice as often. */
@inline
function multiply(BITS: i32, FORM: Activations, p: NBitProductParams, panel: i32, row: i32): void {
  const QUADS = FORM == Activations.ByteQuads || FORM == Activations.WordQuads;
  const BYTES = FORM == Activations.ByteQuads || FORM == Activations.BytePairs;
  const PLANES = (FORM == Activations.WordPairs ? 16 : 8) / BITS;
  const PART = QUADS ? 2 : min(PLANES, 4);
  const blocks = <usize>p.blocks * <usize>p.split;
  const steps = (p.block * BITS) >> 5;
  const kind = p.zeroPoints, same = p.zeroPoint;
  const zeroBytes = bytesOfZeros(kind);
  const first = <usize>panel * <usize>p.blocks;
  let scales = p.scales + first * ROW_BYTES;
  let zeros = p.zeros + first * zeroBytes;
  let aScales = p.aScales + ((<usize>row * blocks) << 2);
  let sums = p.sums + ((<usize>row * blocks) << 2);
  let y0 = f32x4.splat(0), y1 = y0;
  let b = p.b + <usize>panel * blocks * <usize>steps * NBitPanel.StepBytes;
  let a = p.q + ((<usize>row * blocks * <usize>p.block) << (BYTES ? 0 : 1));
  for (let block = p.blocks; block; block--, scales += ROW_BYTES, zeros += zeroBytes) {
    for (let part = p.split; part; part--, aScales += 4, sums += 4) {
      let s0 = i32x4.splat(0), s1 = s0, t0 = s0, t1 = s0;
      for (let step = steps; step; step--) {
        let v0 = v128.load(b), v1 = v128.load(b, 16);
        for (let part = 0; part < PLANES / PART; part++) {
          let x = v128.load32_splat(a);
          if (QUADS) {
            let w0 = plane(BITS, true, 0, v0), w1 = plane(BITS, true, 0, v1);
            s0 = addQuads(s0, x, w0);
            s1 = addQuads(s1, x, w1);
            if (!BYTES) {
              x = v128.load32_splat(a, 4);
              t0 = addQuads(t0, x, w0);
              t1 = addQuads(t1, x, w1);
            }
            w0 = plane(BITS, true, 1, v0);
            w1 = plane(BITS, true, 1, v1);
            x = BYTES ? v128.load32_splat(a, 4) : v128.load32_splat(a, 8);
            s0 = addQuads(s0, x, w0);
            s1 = addQuads(s1, x, w1);
            if (!BYTES) {
              x = v128.load32_splat(a, 12);
              t0 = addQuads(t0, x, w0);
              t1 = addQuads(t1, x, w1);
            }
          } else {
            s0 = addPairs(BYTES, s0, x, plane(BITS, BYTES, 0, v0));
            s1 = addPairs(BYTES, s1, x, plane(BITS, BYTES, 0, v1));
            x = v128.load32_splat(a, 4);
            s0 = addPairs(BYTES, s0, x, plane(BITS, BYTES, 1, v0));
            s1 = addPairs(BYTES, s1, x, plane(BITS, BYTES, 1, v1));
            if (PART > 2) {
              x = v128.load32_splat(a, 8);
              s0 = addPairs(BYTES, s0, x, plane(BITS, BYTES, 2, v0));
              s1 = addPairs(BYTES, s1, x, plane(BITS, BYTES, 2, v1));
              x = v128.load32_splat(a, 12);
              s0 = addPairs(BYTES, s0, x, plane(BITS, BYTES, 3, v0));
              s1 = addPairs(BYTES, s1, x, plane(BITS, BYTES, 3, v1));
            }
          }
          if (PLANES > PART) {
            v0 = i16x8.shr_u(v0, PART * BITS);
            v1 = i16x8.shr_u(v1, PART * BITS);
          }
          a += FORM == Activations.WordQuads || PART == 4 ? 16 : 8;
        }
        b += NBitPanel.StepBytes;
      }
      const total = v128.load32_splat(sums), scale = v128.load32_splat(aScales);
      const minus0 = minusZeros(kind, same, zeros, 0), minus1 = minusZeros(kind, same, zeros, 4);
      y0 = addBlock(kind, zeros, 0, y0, f32x4.mul(scale, v128.load(scales)), whole(FORM, s0, t0), minus0, total);
      y1 = addBlock(kind, zeros, 4, y1, f32x4.mul(scale, v128.load(scales, 16)), whole(FORM, s1, t1), minus1, total);
    }
  }
  v128.store(scratch, y0);
  v128.store(scratch, y1, 16);
}

// Separate functions, so that each can use all registers.

function wordPairs2(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(2, Activations.WordPairs, p, panel, row);
}

function wordPairs4(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(4, Activations.WordPairs, p, panel, row);
}

function wordPairs8(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(8, Activations.WordPairs, p, panel, row);
}

function bytePairs2(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(2, Activations.BytePairs, p, panel, row);
}

function bytePairs4(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(4, Activations.BytePairs, p, panel, row);
}

function byteQuads2(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(2, Activations.ByteQuads, p, panel, row);
}

function byteQuads4(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(4, Activations.ByteQuads, p, panel, row);
}

function wordQuads2(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(2, Activations.WordQuads, p, panel, row);
}

function wordQuads4(p: NBitProductParams, panel: i32, row: i32): void {
  multiply(4, Activations.WordQuads, p, panel, row);
}

export function multiplyRow(form: Activations, p: NBitProductParams, panel: i32, row: i32): void {
  if (form == Activations.WordPairs) {
    if (p.bits == 4) wordPairs4(p, panel, row);
    else if (p.bits == 8) wordPairs8(p, panel, row);
    else wordPairs2(p, panel, row);
  } else if (ASC_FEATURE_RELAXED_SIMD) {
    if (form == Activations.BytePairs) {
      if (p.bits == 4) bytePairs4(p, panel, row);
      else bytePairs2(p, panel, row);
    } else if (form == Activations.ByteQuads) {
      if (p.bits == 4) byteQuads4(p, panel, row);
      else byteQuads2(p, panel, row);
    } else if (p.bits == 4) wordQuads4(p, panel, row);
    else wordQuads2(p, panel, row);
  }
}
