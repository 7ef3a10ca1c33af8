import { ints } from '../../../../src/builder/index.js';
import { type KnownTensor, Unfit } from '../draft.js';
import { binary, unary } from '../makers/elementwise.js';
import type { Maker, Makers } from '../makers/maker.js';
import { concat, pad } from '../makers/movement.js';
import { reduce, softmax } from '../makers/reduction.js';

/** What transpositions move through; reductions in many ways. */
const BETWEEN: readonly Maker[] = [unary, binary, concat, pad, pad, reduce, reduce, reduce, softmax];

/** There and back, with something in between, as models have it that come from the other order of axes. */
const thereAndBack: Maker = async (g, x) => {
  const { chance, pick, shuffled } = g.choices;
  const perm = shuffled(x.dims.map((_, i) => i));
  if (perm.length < 2) throw new Unfit();
  let y = g.op('Transpose', [x], { perm: ints(perm) });
  for (let n = pick([1, 1, 2]); n > 0; n--) {
    await pick(BETWEEN)(g, y);
    y = g.tensors.at(-1) as KnownTensor;
  }
  if (y.dims.length !== perm.length) return;
  const back = perm.map((_, i) => perm.indexOf(i));
  g.op('Transpose', [y], { perm: ints(chance(0.8) ? back : perm) });
};

export const LAYOUT: Makers = [[1, thereAndBack]];
