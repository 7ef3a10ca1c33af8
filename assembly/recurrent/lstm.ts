import { ceilDiv } from '../ceil-div';
import { loadLanes } from '../lanes';
import { madd } from '../math/madd';
import { gateActivation, RecurrentActivation } from './activation';
import { multiplyPanels, PANEL } from './panel';
import { activateF, activateG, RecurrentParams, runSequence } from './sequence';
import { CellState, RUN, sumsOf } from './state';
import { runUnits } from './units';

/** Gates are in the order i, o, f, c. The clip applies to the gates, but not to the argument of h. */
@unmanaged
export class LstmParams extends RecurrentParams {
  initialC: usize = 0;
  lastC: usize = 0;
  /** P [directions, 3 · hidden], in the order i, o, f. */
  peepholes: usize = 0;
  /** 1: f = 1 − i */
  inputForget: i32 = 0;
  h: i32 = RecurrentActivation.Tanh;
  hAlpha: f32 = 0;
  hBeta: f32 = 0;
}

const GATES: i32 = 4;
const UNITS: i32 = PANEL / GATES;

@inline
function peep(p: LstmParams, s: CellState, gate: i32, unit: i32, lanes: i32, c: v128, x: v128): v128 {
  if (!p.peepholes) return x;
  const weights = p.peepholes + ((<usize>((s.direction * 3 + gate) * p.hidden + unit)) << 2);
  return madd(loadLanes(weights, lanes), c, x);
}

/**
 * Updates units unit … unit + 3 of a row. `sums` holds their products, `at` is the offset of their state, and `gates` the first gate's row.
 */
@inline
function updateUnits(p: LstmParams, s: CellState, unit: i32, at: usize, gates: usize, sums: usize): void {
  const lanes = p.hidden - unit;
  const row = (<usize>p.hidden) << 2;
  const c0 = v128.load(s.c + at);
  const x = gates + ((<usize>unit) << 2);
  const xi = f32x4.add(loadLanes(x, lanes), v128.load(sums));
  const xo = f32x4.add(loadLanes(x + row, lanes), v128.load(sums, 4 * UNITS));
  const xf = f32x4.add(loadLanes(x + 2 * row, lanes), v128.load(sums, 8 * UNITS));
  const xc = f32x4.add(loadLanes(x + 3 * row, lanes), v128.load(sums, 12 * UNITS));
  const i = activateF(p, peep(p, s, 0, unit, lanes, c0, xi));
  const f = p.inputForget ? f32x4.sub(f32x4.splat(1), i) : activateF(p, peep(p, s, 2, unit, lanes, c0, xf));
  const c = f32x4.add(f32x4.mul(f, c0), f32x4.mul(i, activateG(p, xc)));
  const o = activateF(p, peep(p, s, 1, unit, lanes, c, xo));
  v128.store(s.c + at, c);
  v128.store(s.next + at, f32x4.mul(o, gateActivation(p.h, p.hAlpha, p.hBeta, c)));
}

function lstmStep(params: RecurrentParams, s: CellState, gates: usize, begin: i32, behind: i32, _parts: i32): void {
  const p = changetype<LstmParams>(params);
  const hidden = p.hidden;
  for (let first = begin; first < behind; first += RUN * UNITS) {
    const end = min(first + RUN * UNITS, behind);
    const panel = s.packed + ((<usize>(first / UNITS) * hidden * PANEL) << 2);
    multiplyPanels(s, s.h, panel, hidden, ceilDiv(end - first, UNITS));
    for (let row = 0; row < s.rows; row++) {
      const own = gates + ((<usize>row * p.gatesBatchStride) << 2);
      let at = <usize>row * s.pitch + ((<usize>first) << 2);
      let sums = sumsOf(row);
      for (let unit = first; unit < end; unit += UNITS, at += 32, sums += PANEL << 2) {
        updateUnits(p, s, unit, at, own, sums);
        if (unit + 4 < end) updateUnits(p, s, unit + 4, at + 16, own, sums + 16);
      }
    }
  }
}

export function lstm(p: LstmParams, begin: i32, end: i32): void {
  if (p.shared) runUnits(p, begin, end, GATES, false, p.initialC, p.lastC, lstmStep);
  else for (let tile = begin; tile < end; tile++) runSequence(p, tile, GATES, p.initialC, p.lastC, lstmStep);
}
