import { Unfit } from '../draft.js';
import type { Maker, Makers } from './maker.js';

/** Tensors into a sequence, changed, and out again. */
const sequence: Maker = (g, x) => {
  const { below, chance, pick } = g.choices;
  const others = g.tensors.filter(({ type }) => type === x.type);
  const items = [x, ...Array.from({ length: below(3) }, () => pick(others))];
  let [made] = g.node('SequenceConstruct', items);
  if (!made) throw new Unfit();
  if (chance(0.5))
    [made] = g.node('SequenceInsert', [made, pick(others), ...(chance(0.5) ? [g.integers([0], [])] : [])]);
  if (chance(0.3)) [made] = g.node('SequenceErase', [made as never, g.integers([pick([0, -1])], [])]);
  if (chance(0.3)) g.node('SequenceLength', [made as never]);
  g.op('SequenceAt', [made as never, g.integers([pick([0, -1])], [])]);
};

const splitToSequence: Maker = (g, x) => {
  if (x.dims.length === 0) throw new Unfit();
  const axis = g.choices.below(x.dims.length);
  const [made] = g.node('SplitToSequence', [x, g.integers([1 + g.choices.below(3)], [])], { axis });
  if (g.choices.chance(0.5)) g.op('ConcatFromSequence', [made as never], { axis });
  else g.op('SequenceAt', [made as never, g.integers([0], [])]);
};

export const SEQUENCES: Makers = [
  [1, sequence],
  [1, splitToSequence],
];
