import { madd } from '../math/madd';

/** Columns of a panel of packed recurrent weights: eight vector accumulators. */
export const PANEL: i32 = 32;

/**
 * Packs R [directions, gates · hidden, hidden] for LSTM (gates 4), GRU (3) or RNN (1) into panels [hidden][32]. The
 * columns of a panel are all gates of a run of units, [gate][unit], so that a cell is updated as soon as its panel is done.
 * GRU's z and r share panels; its h, which waits for r, has its own behind them:
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

@inline
function ceilDiv(a: i32, b: i32): i32 {
  return (a + b - 1) / b;
}

/** Panels of the gates that are computed together first: all, but for GRU z and r. */
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
      for (let k = 0; k < hidden; k++) {
        const weight: f32 = unit < hidden ? load<f32>(from + ((<usize>k) << 2)) : 0;
        store<f32>(to + ((<usize>(k * PANEL + column)) << 2), weight);
      }
    }
  }
}

/** sums[32] = Σ h[k] · panel[k][32] */
export function panelProduct(h: usize, panel: usize, depth: i32, sums: usize): void {
  let a = f32x4.splat(0), b = a, c = a, d = a, e = a, f = a, g = a, i = a;
  for (let k = depth; k; k--) {
    const x = v128.load32_splat(h);
    a = madd(x, v128.load(panel), a);
    b = madd(x, v128.load(panel, 16), b);
    c = madd(x, v128.load(panel, 32), c);
    d = madd(x, v128.load(panel, 48), d);
    e = madd(x, v128.load(panel, 64), e);
    f = madd(x, v128.load(panel, 80), f);
    g = madd(x, v128.load(panel, 96), g);
    i = madd(x, v128.load(panel, 112), i);
    h += 4;
    panel += PANEL << 2;
  }
  v128.store(sums, a);
  v128.store(sums, b, 16);
  v128.store(sums, c, 32);
  v128.store(sums, d, 48);
  v128.store(sums, e, 64);
  v128.store(sums, f, 80);
  v128.store(sums, g, 96);
  v128.store(sums, i, 112);
}
