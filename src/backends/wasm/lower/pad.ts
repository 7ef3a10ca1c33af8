import { mapsOf, type PadParameters, pad } from '../../../primitives/pad.js';
import { type Lowering, lowers } from '../lowering.js';
import { copyIndexed } from './indexed-copy.js';

function lowerPad(c: Lowering, parameters: PadParameters): 'host' | undefined {
  if (parameters.paddings.flat().every((n) => n === 0)) {
    c.isEven();
    c.alias(0, 0);
    return;
  }
  return copyIndexed(c, mapsOf(c, parameters, c.shape(0)), parameters.fill);
}

export const paddings = lowers(pad, lowerPad);
