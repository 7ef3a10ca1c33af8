import { ceilDiv } from '../ceil-div';
import { loadLanes } from '../lanes';
import { multiplyPanels, PANEL } from './panel';
import { activateF, RecurrentParams, runSequence } from './sequence';
import { CellState, RUN, sumsOf } from './state';
import { runUnits } from './units';

/** H = f(gates + H·Rᵀ); g is not used. */
@unmanaged
export class RnnParams extends RecurrentParams {}

function rnnStep(params: RecurrentParams, s: CellState, gates: usize, begin: i32, behind: i32, _parts: i32): void {
  const p = changetype<RnnParams>(params);
  const hidden = p.hidden;
  for (let first = begin; first < behind; first += RUN * PANEL) {
    const end = min(first + RUN * PANEL, behind);
    multiplyPanels(s, s.h, s.packed + ((<usize>first * hidden) << 2), hidden, ceilDiv(end - first, PANEL));
    for (let row = 0; row < s.rows; row++) {
      const own = gates + ((<usize>row * p.gatesBatchStride) << 2), next = s.next + <usize>row * s.pitch;
      for (let unit = first, sums = sumsOf(row); unit < end; unit += 4, sums += 16) {
        const at = (<usize>unit) << 2;
        const x = f32x4.add(loadLanes(own + at, hidden - unit), v128.load(sums));
        v128.store(next + at, activateF(p, x));
      }
    }
  }
}

export function rnn(p: RnnParams, begin: i32, end: i32): void {
  if (p.shared) runUnits(p, begin, end, 1, false, 0, 0, rnnStep);
  else for (let tile = begin; tile < end; tile++) runSequence(p, tile, 1, 0, 0, rnnStep);
}
