import { ceilDiv } from '../ceil-div';
import { loadLanes, storeLanes } from '../lanes';
import { expNonPositive } from '../math/exp';
import { tanh } from '../math/tanh';
import { multiplyRows, Output, PANEL, ROWS } from '../matmul/microkernel';
import { scratch } from '../program';
import {
  AttentionParams,
  AttentionTile,
  keyCount,
  keysOf,
  lastKeyOffset,
  maskOf,
  outputsOf,
  queriesOf,
  valuesOf,
} from './params';

// Scores are computed transposed, S[key][query]: the lanes are queries. The maxima and sums of the softmax thus need no horizontal
// operations, only the queries are transposed (once per tile), and S is the packed left operand of P·V.

/** Keys in one step of the online softmax. 120 to 256 measured alike; with 128, S fits in 32 KiB. */
const KEYS: i32 = 128;

/** Bytes between one key's scores and the next. */
const PITCH: usize = <usize>AttentionTile.QueryRows << 2;

// Layout of the scratch block.
const ROW_TABLE: usize = 64;
const MAXIMA: usize = 128;
const SUMS: usize = MAXIMA + PITCH;
const DECAYS: usize = SUMS + PITCH;
const SCORES: usize = DECAYS + PITCH;
const OUTPUTS: usize = SCORES + PITCH * KEYS;

@inline
function panelBytes(columns: i32): usize {
  return (<usize>((columns + PANEL - 1) & ~(PANEL - 1))) << 2;
}

/** Packs rows [rows, size] into scaled panels [ceil(rows / PANEL)][size][PANEL]; lanes past the last row repeat it. */
function transposeQueries(to: usize, q: usize, rows: i32, rowStride: usize, size: i32, scale: f32): void {
  const factor = f32x4.splat(scale);
  for (let row = 0; row < rows; row += PANEL) {
    for (let half = 0; half < PANEL; half += 4) {
      const r0 = q + <usize>min(row + half, rows - 1) * rowStride;
      const r1 = q + <usize>min(row + half + 1, rows - 1) * rowStride;
      const r2 = q + <usize>min(row + half + 2, rows - 1) * rowStride;
      const r3 = q + <usize>min(row + half + 3, rows - 1) * rowStride;
      let y = to + ((<usize>(row * size + half)) << 2);
      for (let d: usize = 0, end = (<usize>size) << 2; d < end; d += 4, y += PANEL << 2) {
        let column = v128.load32_zero(r0 + d);
        column = v128.load_lane<f32>(r1 + d, column, 1);
        column = v128.load_lane<f32>(r2 + d, column, 2);
        column = v128.load_lane<f32>(r3 + d, column, 3);
        v128.store(y, f32x4.mul(column, factor));
      }
    }
  }
}

/** Packs rows [rows, size] into panels [ceil(size / PANEL)][rows][PANEL], zero-padded. */
function packValues(to: usize, v: usize, rows: i32, rowStride: usize, size: i32): void {
  for (let column = 0; column < size; column += PANEL) {
    let from = v + ((<usize>column) << 2);
    const low = min(4, size - column), high = min(4, size - column - 4);
    for (let row = rows; row; row--, from += rowStride, to += PANEL << 2) {
      v128.store(to, loadLanes(from, low));
      v128.store(to, high > 0 ? loadLanes(from + 16, high) : f32x4.splat(0), 16);
    }
  }
}

/**
 * Multiplies `rows` rows, `rowStride` bytes apart and `step` bytes between values, with `panels` panels of `depth`;
 * y = products, or with `add`, y += products.
 */
function multiplyPanels(
  rows: i32,
  a: usize,
  rowStride: usize,
  step: usize,
  depth: i32,
  b: usize,
  panels: i32,
  y: usize,
  yStride: usize,
  add: bool,
): void {
  const out = changetype<Output>(scratch), table = scratch + ROW_TABLE;
  out.bias = 0;
  out.yStride = yStride;
  out.residualStride = yStride;
  out.low = f32.NEGATIVE_INFINITY;
  out.high = f32.POSITIVE_INFINITY;
  const panelSize = <usize>depth * (PANEL << 2);
  for (let row = 0; row < rows; row += ROWS, y += <usize>ROWS * yStride) {
    const count = min(ROWS, rows - row);
    for (let i = 0; i < count; i++, a += rowStride) store<usize>(table + ((<usize>i) << 2), a);
    out.y = y;
    for (let panel = 0; panel < panels; panel++, out.y += PANEL << 2) {
      out.residual = add ? out.y : 0;
      multiplyRows(count, table, 1, depth, step, b + <usize>panel * panelSize, out);
    }
  }
}

function capScores(scores: usize, keys: i32, panels: i32, cap: f32): void {
  const inverse = f32x4.splat(1 / cap), factor = f32x4.splat(cap);
  for (let key = 0; key < keys; key++) {
    const row = scores + <usize>key * PITCH;
    for (let i: usize = 0, end = <usize>panels * (PANEL << 2); i < end; i += 16) {
      v128.store(row + i, f32x4.mul(tanh(f32x4.mul(v128.load(row + i), inverse)), factor));
    }
  }
}

/** Adds mask[query][key]; strides are in bytes. */
function addMask(scores: usize, keys: i32, rows: i32, mask: usize, rowStride: usize, columnStride: usize): void {
  for (let row = 0; row < rows; row += 4) {
    let m0 = mask + <usize>row * rowStride;
    let m1 = mask + <usize>min(row + 1, rows - 1) * rowStride;
    let m2 = mask + <usize>min(row + 2, rows - 1) * rowStride;
    let m3 = mask + <usize>min(row + 3, rows - 1) * rowStride;
    let at = scores + ((<usize>row) << 2);
    for (let key = keys; key; key--, at += PITCH) {
      let m = v128.load32_splat(m0);
      if (rowStride) {
        m = v128.load_lane<f32>(m1, m, 1);
        m = v128.load_lane<f32>(m2, m, 2);
        m = v128.load_lane<f32>(m3, m, 3);
        m1 += columnStride;
        m2 += columnStride;
        m3 += columnStride;
      }
      v128.store(at, f32x4.add(v128.load(at), m));
      m0 += columnStride;
    }
  }
}

/** Hides keys from earlier queries: lane j of the tile sees keys up to `limit` + j. The scores begin at key `first`. */
function hideFuture(scores: usize, keys: i32, rows: i32, first: i32, limit: i32): void {
  const hidden = f32x4.splat(f32.NEGATIVE_INFINITY);
  for (let row = 0; row < rows; row += 4) {
    const lanes = i32x4.add(i32x4(0, 1, 2, 3), i32x4.splat(row + limit));
    let at = scores + ((<usize>row) << 2);
    for (let key = 0; key < keys; key++, at += PITCH) {
      const future = i32x4.gt_s(i32x4.splat(first + key), lanes);
      v128.store(at, v128.bitselect(hidden, v128.load(at), future));
    }
  }
}

/** One step of the online softmax: scores become exp(score − maximum so far). Updates sums and maxima; DECAYS scales older results. */
function softmaxStep(at: usize, keys: i32, panels: i32): void {
  for (let i: usize = 0, end = <usize>panels * (PANEL << 2); i < end; i += PANEL << 2) {
    const state = at + i;
    const m0 = v128.load(state, MAXIMA), m1 = v128.load(state, MAXIMA + 16);
    let top0 = m0, top1 = m1;
    let s = state + SCORES;
    for (let key = keys; key; key--, s += PITCH) {
      top0 = f32x4.pmax(top0, v128.load(s));
      top1 = f32x4.pmax(top1, v128.load(s, 16));
    }
    v128.store(state, top0, MAXIMA);
    v128.store(state, top1, MAXIMA + 16);

    // If all keys are hidden so far, exp(−∞ − 0) gives the required 0.
    const hidden = f32x4.splat(f32.NEGATIVE_INFINITY);
    top0 = v128.andnot(top0, f32x4.eq(top0, hidden));
    top1 = v128.andnot(top1, f32x4.eq(top1, hidden));
    const decay0 = expNonPositive(f32x4.sub(m0, top0)), decay1 = expNonPositive(f32x4.sub(m1, top1));
    let sum0 = f32x4.mul(v128.load(state, SUMS), decay0), sum1 = f32x4.mul(v128.load(state, SUMS + 16), decay1);
    s = state + SCORES;
    for (let key = keys; key; key--, s += PITCH) {
      const e0 = expNonPositive(f32x4.sub(v128.load(s), top0)), e1 = expNonPositive(f32x4.sub(v128.load(s, 16), top1));
      v128.store(s, e0);
      v128.store(s, e1, 16);
      sum0 = f32x4.add(sum0, e0);
      sum1 = f32x4.add(sum1, e1);
    }
    v128.store(state, decay0, DECAYS);
    v128.store(state, decay1, DECAYS + 16);
    v128.store(state, sum0, SUMS);
    v128.store(state, sum1, SUMS + 16);
  }
}

function rescale(outputs: usize, rows: i32, pitch: usize, factors: usize): void {
  for (let row = 0; row < rows; row++, outputs += pitch) {
    const factor = v128.load32_splat(factors + ((<usize>row) << 2));
    for (let d: usize = 0; d < pitch; d += 16) v128.store(outputs + d, f32x4.mul(v128.load(outputs + d), factor));
  }
}

/** Divides by the sums; a row that saw no key is 0. */
function writeOutputs(y: usize, rowStride: usize, rows: i32, size: i32, outputs: usize, pitch: usize, sums: usize): void {
  for (let row = 0; row < rows; row++, y += rowStride, outputs += pitch) {
    const sum = load<f32>(sums + ((<usize>row) << 2));
    const inverse = f32x4.splat(sum == 0 ? 0 : 1 / sum);
    for (let d = 0; d < size; d += 4) {
      const o = f32x4.mul(v128.load(outputs + ((<usize>d) << 2)), inverse);
      storeLanes(y + ((<usize>d) << 2), o, min(4, size - d));
    }
  }
}

/** Computes query rows first … first + rows of one head; at most AttentionTile.QueryRows. */
export function attendBlock(p: AttentionParams, batch: i32, head: i32, first: i32, rows: i32): void {
  const panels = ceilDiv(rows, PANEL);
  const pitch = panelBytes(p.valueSize);
  const kRow = (<usize>p.kRowStride) << 2, vRow = (<usize>p.vRowStride) << 2;
  const maskRow = (<usize>p.maskRowStride) << 2, maskColumn = (<usize>p.maskColumnStride) << 2;
  const k = keysOf(p, batch, head), v = valuesOf(p, batch, head), mask = maskOf(p, batch, head);
  const scores = scratch + SCORES, outputs = scratch + OUTPUTS;
  const queries = outputs + pitch * AttentionTile.QueryRows;
  const values = queries + ((<usize>panels * PANEL * p.headSize) << 2);

  const q = queriesOf(p, batch, head) + ((<usize>first * p.qRowStride) << 2);
  transposeQueries(queries, q, rows, (<usize>p.qRowStride) << 2, p.headSize, p.scale);
  memory.fill(scratch + SUMS, 0, PITCH);
  memory.fill(outputs, 0, pitch * <usize>rows);
  for (let i: usize = 0; i < PITCH; i += 16) v128.store(scratch + i, f32x4.splat(f32.NEGATIVE_INFINITY), MAXIMA);

  const limit = first + lastKeyOffset(p, batch);
  const visible = min(keyCount(p, batch), limit + rows);
  for (let key = 0; key < visible; key += KEYS) {
    const keys = min(KEYS, visible - key);
    multiplyPanels(keys, k + <usize>key * kRow, kRow, 4, p.headSize, queries, panels, scores, PITCH, false);
    if (p.softcap) capScores(scores, keys, panels, p.softcap);
    if (mask) addMask(scores, keys, rows, mask + <usize>first * maskRow + <usize>key * maskColumn, maskRow, maskColumn);
    if (key + keys - 1 > limit) hideFuture(scores, keys, rows, key, limit);
    softmaxStep(scratch, keys, panels);
    if (key) rescale(outputs, rows, pitch, scratch + DECAYS);
    packValues(values, v + <usize>key * vRow, keys, vRow, p.valueSize);
    multiplyPanels(rows, scores, 4, PITCH, keys, values, <i32>(pitch / (PANEL << 2)), outputs, pitch, true);
  }
  const y = outputsOf(p, batch, head) + ((<usize>first * p.yRowStride) << 2);
  writeOutputs(y, (<usize>p.yRowStride) << 2, rows, p.valueSize, outputs, pitch, scratch + SUMS);
}
