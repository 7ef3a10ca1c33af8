import { madd } from '../math/madd';
import { scratch } from '../program';
import { NBitProductParams } from './n-bit-params';
import { ROW_BYTES } from './n-bit-scaling';
import { NBitPanel } from './pack-n-bit';

/**
 * Multiplies one row or four with a panel of 4-bit codes for 16-bit values from a table, into scratch. The values' two bytes are looked up
 * separately: sums of 128 products of 16 by 8 bits fit 32 bits, and floats combine them.
 */
export function multiplyMeanings(p: NBitProductParams, panel: i32, row: i32, count: i32): void {
  if (count == 4) {
    multiplyFour(p, panel, row, 0);
    multiplyFour(p, panel, row, 16);
  } else {
    multiplyOne(p, panel, row);
  }
}

/** Looks up the lowest code of each 16-bit lane, and returns its byte in the lane's lower half: an index beyond 127 gives 0. */
@inline
function bytesFor(table: v128, codes: v128): v128 {
  const places = v128.or(v128.and(codes, i16x8.splat(15)), i16x8.splat(-0x8000));
  return ASC_FEATURE_RELAXED_SIMD ? i8x16.relaxed_swizzle(table, places) : i8x16.swizzle(table, places);
}

/** Σ a·value of four columns, in units; `upper` is too large by 128 per unit of Σ a. */
@inline
function joined(upper: v128, lower: v128, total: i32): v128 {
  const high = f32x4.convert_i32x4_s(i32x4.sub(upper, i32x4.splat(total << 7)));
  return madd(high, f32x4.splat(256), f32x4.convert_i32x4_s(lower));
}

function multiplyOne(p: NBitProductParams, panel: i32, row: i32): void {
  const blocks = <usize>p.blocks * <usize>p.split;
  const steps = p.block >> 3;
  const upper = v128.load(p.meanings), lower = v128.load(p.meanings, 16);
  const unit = f32x4.splat(p.unit);
  let b = p.b + <usize>panel * blocks * <usize>steps * NBitPanel.StepBytes;
  let a = p.q + ((<usize>row * blocks * <usize>p.block) << 1);
  let scales = p.scales + <usize>panel * <usize>p.blocks * ROW_BYTES;
  let ofA = (<usize>row * blocks) << 2;
  let left = p.split;
  let y0 = f32x4.splat(0), y1 = y0;
  for (let block = 0; block < <i32>blocks; block++, ofA += 4) {
    let u0 = i32x4.splat(0), u1 = u0, l0 = u0, l1 = u0;
    for (let step = steps; step; step--, b += NBitPanel.StepBytes) {
      let v0 = v128.load(b), v1 = v128.load(b, 16);
      for (let plane = 4; plane; plane--, a += 4) {
        const x = v128.load32_splat(a);
        u0 = i32x4.add(u0, i32x4.dot_i16x8_s(x, bytesFor(upper, v0)));
        l0 = i32x4.add(l0, i32x4.dot_i16x8_s(x, bytesFor(lower, v0)));
        u1 = i32x4.add(u1, i32x4.dot_i16x8_s(x, bytesFor(upper, v1)));
        l1 = i32x4.add(l1, i32x4.dot_i16x8_s(x, bytesFor(lower, v1)));
        v0 = i16x8.shr_u(v0, 4);
        v1 = i16x8.shr_u(v1, 4);
      }
    }
    const total = load<i32>(p.sums + ofA);
    const scale = v128.load32_splat(p.aScales + ofA);
    y0 = madd(joined(u0, l0, total), f32x4.mul(scale, f32x4.mul(v128.load(scales), unit)), y0);
    y1 = madd(joined(u1, l1, total), f32x4.mul(scale, f32x4.mul(v128.load(scales, 16), unit)), y1);
    if (--left) continue;
    left = p.split;
    scales += ROW_BYTES;
  }
  v128.store(scratch, y0);
  v128.store(scratch, y1, 16);
}

/** Multiplies four rows with four columns of a panel, from byte `half` of a step on. */
function multiplyFour(p: NBitProductParams, panel: i32, row: i32, half: usize): void {
  const blocks = <usize>p.blocks * <usize>p.split;
  const rowBytes = (blocks * <usize>p.block) << 1;
  const rowScales = blocks << 2;
  const steps = p.block >> 3;
  const upper = v128.load(p.meanings), lower = v128.load(p.meanings, 16);
  let b = p.b + <usize>panel * blocks * <usize>steps * NBitPanel.StepBytes + half;
  let a0 = p.q + <usize>row * rowBytes, a1 = a0 + rowBytes, a2 = a1 + rowBytes, a3 = a2 + rowBytes;
  let scales = p.scales + <usize>panel * <usize>p.blocks * ROW_BYTES + half;
  let ofA = <usize>row * rowScales;
  let left = p.split;
  const to = scratch + half;
  for (let r: usize = 0; r < 4; r++) v128.store(to + r * ROW_BYTES, f32x4.splat(0));
  for (let block = 0; block < <i32>blocks; block++, ofA += 4) {
    let u0 = i32x4.splat(0), u1 = u0, u2 = u0, u3 = u0, l0 = u0, l1 = u0, l2 = u0, l3 = u0;
    for (let step = steps; step; step--, b += NBitPanel.StepBytes) {
      let v = v128.load(b);
      for (let plane = 4; plane; plane--, v = i16x8.shr_u(v, 4)) {
        const high = bytesFor(upper, v), low = bytesFor(lower, v);
        let x = v128.load32_splat(a0);
        u0 = i32x4.add(u0, i32x4.dot_i16x8_s(x, high));
        l0 = i32x4.add(l0, i32x4.dot_i16x8_s(x, low));
        x = v128.load32_splat(a1);
        u1 = i32x4.add(u1, i32x4.dot_i16x8_s(x, high));
        l1 = i32x4.add(l1, i32x4.dot_i16x8_s(x, low));
        x = v128.load32_splat(a2);
        u2 = i32x4.add(u2, i32x4.dot_i16x8_s(x, high));
        l2 = i32x4.add(l2, i32x4.dot_i16x8_s(x, low));
        x = v128.load32_splat(a3);
        u3 = i32x4.add(u3, i32x4.dot_i16x8_s(x, high));
        l3 = i32x4.add(l3, i32x4.dot_i16x8_s(x, low));
        a0 += 4;
        a1 += 4;
        a2 += 4;
        a3 += 4;
      }
    }
    const scale = f32x4.mul(v128.load(scales), f32x4.splat(p.unit));
    addRow(p, to, ofA, scale, u0, l0);
    addRow(p, to + ROW_BYTES, ofA + rowScales, scale, u1, l1);
    addRow(p, to + 2 * ROW_BYTES, ofA + 2 * rowScales, scale, u2, l2);
    addRow(p, to + 3 * ROW_BYTES, ofA + 3 * rowScales, scale, u3, l3);
    if (--left) continue;
    left = p.split;
    scales += ROW_BYTES;
  }
}

@inline
function addRow(p: NBitProductParams, to: usize, ofA: usize, scale: v128, upper: v128, lower: v128): void {
  const scales = f32x4.mul(v128.load32_splat(p.aScales + ofA), scale);
  v128.store(to, madd(joined(upper, lower, load<i32>(p.sums + ofA)), scales, v128.load(to)));
}
