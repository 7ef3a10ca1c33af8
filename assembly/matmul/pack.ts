import { ceilDiv } from '../ceil-div';
import { PANEL } from './microkernel';

/**
 * Packs alpha · B for `matmul`: any K × N view, element (k, n) at k·rowStride + n·columnStride, into panels [outer][inner][ceil(N /
 * 8)][K][8], zero-padded. Strides count floats; Bᵀ is B with its strides swapped.
 * Tiles: outer · inner · ceil(N / MatMulTile.Panel), one per panel.
 */
@unmanaged
export class PackMatMulBParams {
  b: usize = 0;
  packed: usize = 0;
  n: i32 = 0;
  k: i32 = 0;
  outer: i32 = 1;
  inner: i32 = 1;
  rowStride: i32 = 0;
  columnStride: i32 = 1;
  outerStride: i32 = 0;
  innerStride: i32 = 0;
  alpha: f32 = 1;
}

export function packMatMulB(p: PackMatMulBParams, begin: i32, end: i32): void {
  const panels = ceilDiv(p.n, PANEL);
  const rowStride = <usize>p.rowStride << 2;
  const columnStride = <usize>p.columnStride << 2;
  for (let tile = begin; tile < end; tile++) {
    const column = (tile % panels) * PANEL;
    const batch = tile / panels;
    const b =
      p.b +
      ((<usize>(batch / p.inner) * <usize>p.outerStride + <usize>(batch % p.inner) * <usize>p.innerStride) << 2) +
      <usize>column * columnStride;
    const to = p.packed + <usize>tile * <usize>p.k * (4 * PANEL);
    const columns = min(PANEL, p.n - column);
    if (columns < PANEL) packRagged(to, b, p.k, columns, rowStride, columnStride, p.alpha);
    else if (p.columnStride == 1) packRows(to, b, p.k, rowStride, p.alpha);
    else packColumns(to, b, p.k, rowStride, columnStride, p.alpha);
  }
}

function packRows(to: usize, b: usize, depth: i32, rowStride: usize, alpha: f32): void {
  const scale = f32x4.splat(alpha);
  for (let k = depth; k; k--, b += rowStride, to += 4 * PANEL) {
    v128.store(to, f32x4.mul(v128.load(b), scale));
    v128.store(to, f32x4.mul(v128.load(b, 16), scale), 16);
  }
}

/** Columns at any stride: four at a time, transposed in registers if K is contiguous in memory. */
function packColumns(to: usize, b: usize, depth: i32, rowStride: usize, columnStride: usize, alpha: f32): void {
  let k = 0;
  if (rowStride == 4) {
    for (; k + 4 <= depth; k += 4) {
      const from = b + ((<usize>k) << 2);
      transpose4(to, from, columnStride, alpha);
      transpose4(to + 16, from + 4 * columnStride, columnStride, alpha);
      to += 16 * PANEL;
    }
  }
  const rest = <usize>k * rowStride;
  packRagged(to, b + rest, depth - k, PANEL, rowStride, columnStride, alpha);
}

@inline
function transpose4(to: usize, from: usize, stride: usize, alpha: f32): void {
  const scale = f32x4.splat(alpha);
  const r0 = f32x4.mul(v128.load(from), scale);
  const r1 = f32x4.mul(v128.load(from + stride), scale);
  const r2 = f32x4.mul(v128.load(from + 2 * stride), scale);
  const r3 = f32x4.mul(v128.load(from + 3 * stride), scale);
  const even01 = v128.shuffle<f32>(r0, r1, 0, 4, 1, 5);
  const even23 = v128.shuffle<f32>(r2, r3, 0, 4, 1, 5);
  const odd01 = v128.shuffle<f32>(r0, r1, 2, 6, 3, 7);
  const odd23 = v128.shuffle<f32>(r2, r3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<f64>(even01, even23, 0, 2));
  v128.store(to, v128.shuffle<f64>(even01, even23, 1, 3), 4 * PANEL);
  v128.store(to, v128.shuffle<f64>(odd01, odd23, 0, 2), 8 * PANEL);
  v128.store(to, v128.shuffle<f64>(odd01, odd23, 1, 3), 12 * PANEL);
}

function packRagged(
  to: usize,
  b: usize,
  depth: i32,
  columns: i32,
  rowStride: usize,
  columnStride: usize,
  alpha: f32,
): void {
  for (let k = depth; k; k--, b += rowStride, to += 4 * PANEL) {
    let from = b;
    for (let c = 0; c < PANEL; c++, from += columnStride) {
      store<f32>(to + ((<usize>c) << 2), c < columns ? load<f32>(from) * alpha : 0);
    }
  }
}
