import { ceilDiv } from '../ceil-div';
import { multiplyRows, multiplyWide, Output, PANEL as PART } from '../matmul/microkernel';
import { scratch } from '../program';
import { CellState, OUTPUT, ROW_TABLE, SUMS_PITCH, sumsOf } from './state';

/** Columns in a panel of packed recurrent weights: four panels of a product, which multiplyWide multiplies together. */
export const PANEL: i32 = 32;

/**
 * Packs R [directions, gates · hidden, hidden] for LSTM (gates 4), GRU (3) or RNN (1) into panels [4][hidden][8]. The columns of a panel
 * are all gates of a run of units, [gate][unit], so that a cell is updated soon after its panel is done. GRU's z and r share panels; its h,
 * which depends on r, has its own after them:
 *
 *     panels = gates 4: ceil(hidden / 8);  gates 3: ceil(hidden / 16) + ceil(hidden / 32);  gates 1: ceil(hidden / 32)
 *
 * per direction, hidden · 32 floats each, zero-padded. A tile is one panel; tiles = directions · panels.
 */
@unmanaged
export class PackRecurrentParams {
  r: usize = 0;
  packed: usize = 0;
  directions: i32 = 0;
  gates: i32 = 0;
  hidden: i32 = 0;
}

/** Panels of the gates that are computed together first: all gates, but for GRU z and r. */
@inline
export function leadingPanels(gates: i32, hidden: i32): i32 {
  return ceilDiv(hidden, PANEL / (gates == 3 ? 2 : gates));
}

@inline
export function panelsOf(gates: i32, hidden: i32): i32 {
  return leadingPanels(gates, hidden) + (gates == 3 ? ceilDiv(hidden, PANEL) : 0);
}

export function packRecurrent(p: PackRecurrentParams, begin: i32, end: i32): void {
  const hidden = p.hidden;
  const panels = panelsOf(p.gates, hidden), leading = leadingPanels(p.gates, hidden);
  for (let tile = begin; tile < end; tile++) {
    const panel = tile % panels;
    const last = panel >= leading;
    const units = last ? PANEL : PANEL / (p.gates == 3 ? 2 : p.gates);
    const firstGate = last ? 2 : 0, firstUnit = (last ? panel - leading : panel) * units;
    const r = p.r + ((<usize>(tile / panels) * p.gates * hidden * hidden) << 2);
    const to = p.packed + ((<usize>tile * hidden * PANEL) << 2);
    for (let column = 0; column < PANEL; column++) {
      const unit = firstUnit + (column % units);
      const from = r + ((<usize>((firstGate + column / units) * hidden + unit) * hidden) << 2);
      const at = to + ((<usize>(column / PART) * hidden * PART + (column % PART)) << 2);
      for (let k = 0; k < hidden; k++) {
        const weight: f32 = unit < hidden ? load<f32>(from + ((<usize>k) << 2)) : 0;
        store<f32>(at + ((<usize>(k * PART)) << 2), weight);
      }
    }
  }
}

/**
 * Multiplies each row of `a` with `count` panels. The sums of panel i of row r, [32], are at sumsOf(r) + i · 128 bytes. Cells use the sums
 * after all panels are done: the mispredicted end of a panel's loop would stall work that is interleaved with it.
 */
export function multiplyPanels(s: CellState, a: usize, panel: usize, depth: i32, count: i32): void {
  const partBytes = (<usize>depth * PART) << 2;
  if (s.rows == 1) {
    for (let sums = sumsOf(0); count; count--, sums += PANEL << 2, panel += 4 * partBytes)
      multiplyWide(a, depth, 4, panel, partBytes, sums);
    return;
  }
  const out = changetype<Output>(scratch + OUTPUT), table = scratch + ROW_TABLE;
  for (let row = 0; row < s.rows; row++, a += s.pitch) store<usize>(table + ((<usize>row) << 2), a);
  out.yStride = SUMS_PITCH;
  out.bias = 0;
  out.residual = 0;
  out.low = f32.NEGATIVE_INFINITY;
  out.high = f32.POSITIVE_INFINITY;
  out.y = sumsOf(0);
  for (let parts = count * (PANEL / PART); parts; parts--, out.y += PART << 2, panel += partBytes)
    multiplyRows(s.rows, table, 1, depth, 4, panel, out);
}
