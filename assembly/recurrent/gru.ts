import { loadLanes } from '../lanes';
import { leadingPanels, PANEL, panelProduct } from './panel';
import { activateF, activateG, CellState, RecurrentParams, runSequence } from './sequence';

/** Gates in the order z, r, h; f is applied to z and r, g to h. `gates` includes Rb of h only if not linearBeforeReset. */
@unmanaged
export class GruParams extends RecurrentParams {
  /** 1: the reset gate multiplies H·Rᵀ + Rb instead of H. */
  linearBeforeReset: i32 = 0;
  /** Rb of h, [directions] × [hidden], for linearBeforeReset; or 0. Stride in elements. */
  recurrentBias: usize = 0;
  recurrentBiasStride: i32 = 0;
}

const GATES: i32 = 3;
const UNITS: i32 = PANEL / 2;

/** z and r of all units; what h·Rᵀ needs of r goes to s.reset. */
@inline
function updateGates(p: GruParams, s: CellState, gates: usize): void {
  const hidden = p.hidden;
  const row = (<usize>hidden) << 2;
  for (let unit = 0, panel = s.packed; unit < hidden; panel += (<usize>hidden * PANEL) << 2) {
    panelProduct(s.h, panel, hidden, s.sums);
    const end = min(unit + UNITS, hidden);
    for (let sums = s.sums; unit < end; unit += 4, sums += 16) {
      const at = (<usize>unit) << 2;
      const z = f32x4.add(loadLanes(gates + at, hidden - unit), v128.load(sums));
      const r = f32x4.add(loadLanes(gates + row + at, hidden - unit), v128.load(sums, 4 * UNITS));
      v128.store(s.c + at, activateF(p, z));
      const reset = activateF(p, r);
      v128.store(s.reset + at, p.linearBeforeReset ? reset : f32x4.mul(reset, v128.load(s.h + at)));
    }
    unit = end;
  }
}

@inline
function updateHidden(p: GruParams, s: CellState, gates: usize): void {
  const hidden = p.hidden;
  const x = gates + ((<usize>hidden) << 3);
  const bias = p.recurrentBias ? p.recurrentBias + ((<usize>s.direction * p.recurrentBiasStride) << 2) : 0;
  const h = p.linearBeforeReset ? s.h : s.reset;
  let panel = s.packed + ((<usize>leadingPanels(GATES, hidden) * hidden * PANEL) << 2);
  for (let unit = 0; unit < hidden; panel += (<usize>hidden * PANEL) << 2) {
    panelProduct(h, panel, hidden, s.sums);
    const end = min(unit + PANEL, hidden);
    for (let sums = s.sums; unit < end; unit += 4, sums += 16) {
      const at = (<usize>unit) << 2;
      let recurrent = v128.load(sums);
      if (p.linearBeforeReset) {
        if (bias) recurrent = f32x4.add(recurrent, loadLanes(bias + at, hidden - unit));
        recurrent = f32x4.mul(recurrent, v128.load(s.reset + at));
      }
      const candidate = activateG(p, f32x4.add(loadLanes(x + at, hidden - unit), recurrent));
      const z = v128.load(s.c + at);
      const kept = f32x4.mul(z, v128.load(s.h + at));
      v128.store(s.next + at, f32x4.add(f32x4.mul(f32x4.sub(f32x4.splat(1), z), candidate), kept));
    }
    unit = end;
  }
}

function gruStep(p: GruParams, s: CellState, gates: usize): void {
  updateGates(p, s, gates);
  updateHidden(p, s, gates);
}

export function gru(p: GruParams, begin: i32, end: i32): void {
  for (let tile = begin; tile < end; tile++) runSequence(p, tile, GATES, 0, 0, gruStep);
}
