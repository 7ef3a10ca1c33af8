import { ceilDiv } from '../ceil-div';
import { loadLanes } from '../lanes';
import { leadingPanels, multiplyPanels, PANEL } from './panel';
import { activateF, activateG, RecurrentParams, runSequence, StepPart } from './sequence';
import { CellState, RUN, sumsOf } from './state';
import { runUnits } from './units';

/** Gates are in the order z, r, h; f applies to z and r, g to h. `gates` includes Rb of h only if not linearBeforeReset. */
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

/** Computes z and r of all units; stores the part of r that h·Rᵀ needs to s.reset. */
@inline
function updateGates(p: GruParams, s: CellState, gates: usize, begin: i32, behind: i32): void {
  const hidden = p.hidden;
  for (let first = begin; first < behind; first += RUN * UNITS) {
    const end = min(first + RUN * UNITS, behind);
    const panel = s.packed + ((<usize>(first / UNITS) * hidden * PANEL) << 2);
    multiplyPanels(s, s.h, panel, hidden, ceilDiv(end - first, UNITS));
    for (let row = 0; row < s.rows; row++) {
      const xz = gates + ((<usize>row * p.gatesBatchStride) << 2), xr = xz + ((<usize>hidden) << 2);
      const state = <usize>row * s.pitch;
      for (let unit = first; unit < end; unit += 4) {
        const at = (<usize>unit) << 2;
        const sums = sumsOf(row) + ((<usize>((unit - first) & -UNITS)) << 3) + ((<usize>(unit & (UNITS - 1))) << 2);
        const z = f32x4.add(loadLanes(xz + at, hidden - unit), v128.load(sums));
        const r = f32x4.add(loadLanes(xr + at, hidden - unit), v128.load(sums, 4 * UNITS));
        v128.store(s.c + state + at, activateF(p, z));
        const reset = activateF(p, r);
        v128.store(s.reset + state + at, p.linearBeforeReset ? reset : f32x4.mul(reset, v128.load(s.h + state + at)));
      }
    }
  }
}

@inline
function updateHidden(p: GruParams, s: CellState, gates: usize, begin: i32, behind: i32): void {
  const hidden = p.hidden;
  const bias = p.recurrentBias ? p.recurrentBias + ((<usize>s.direction * p.recurrentBiasStride) << 2) : 0;
  const packed = s.packed + ((<usize>leadingPanels(GATES, hidden) * hidden * PANEL) << 2);
  for (let first = begin; first < behind; first += RUN * PANEL) {
    const end = min(first + RUN * PANEL, behind);
    const panel = packed + ((<usize>first * hidden) << 2);
    multiplyPanels(s, p.linearBeforeReset ? s.h : s.reset, panel, hidden, ceilDiv(end - first, PANEL));
    for (let row = 0; row < s.rows; row++) {
      const x = gates + ((<usize>(row * p.gatesBatchStride + 2 * hidden)) << 2);
      const state = <usize>row * s.pitch;
      for (let unit = first, sums = sumsOf(row); unit < end; unit += 4, sums += 16) {
        const at = (<usize>unit) << 2;
        let recurrent = v128.load(sums);
        if (p.linearBeforeReset) {
          if (bias) recurrent = f32x4.add(recurrent, loadLanes(bias + at, hidden - unit));
          recurrent = f32x4.mul(recurrent, v128.load(s.reset + state + at));
        }
        const candidate = activateG(p, f32x4.add(loadLanes(x + at, hidden - unit), recurrent));
        const z = v128.load(s.c + state + at);
        const kept = f32x4.mul(z, v128.load(s.h + state + at));
        v128.store(s.next + state + at, f32x4.add(f32x4.mul(f32x4.sub(f32x4.splat(1), z), candidate), kept));
      }
    }
  }
}

function gruStep(params: RecurrentParams, s: CellState, gates: usize, begin: i32, behind: i32, parts: i32): void {
  const p = changetype<GruParams>(params);
  if (parts & StepPart.Gates) updateGates(p, s, gates, begin, behind);
  if (parts & StepPart.Hidden) updateHidden(p, s, gates, begin, behind);
}

export function gru(p: GruParams, begin: i32, end: i32): void {
  if (p.shared) runUnits(p, begin, end, GATES, !p.linearBeforeReset, 0, 0, gruStep);
  else for (let tile = begin; tile < end; tile++) runSequence(p, tile, GATES, 0, 0, gruStep);
}
