import { loadLanes } from '../lanes';
import { PANEL, panelProduct } from './panel';
import { activateF, CellState, RecurrentParams, runSequence } from './sequence';

/** H = f(gates + H·Rᵀ); g is not used. */
@unmanaged
export class RnnParams extends RecurrentParams {}

function rnnStep(p: RnnParams, s: CellState, gates: usize): void {
  const hidden = p.hidden;
  for (let unit = 0, panel = s.packed; unit < hidden; panel += (<usize>hidden * PANEL) << 2) {
    panelProduct(s.h, panel, hidden, s.sums);
    const end = min(unit + PANEL, hidden);
    for (let sums = s.sums; unit < end; unit += 4, sums += 16) {
      const at = (<usize>unit) << 2;
      const x = f32x4.add(loadLanes(gates + at, hidden - unit), v128.load(sums));
      v128.store(s.next + at, activateF(p, x));
    }
    unit = end;
  }
}

export function rnn(p: RnnParams, begin: i32, end: i32): void {
  for (let tile = begin; tile < end; tile++) runSequence(p, tile, 1, 0, 0, rnnStep);
}
