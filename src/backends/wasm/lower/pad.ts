import { isSame } from '../../../graph/guards.js';
import type { Size } from '../../../graph/sizes.js';
import { mapOf, type PadParameters, pad } from '../../../primitives/pad.js';
import { type Lowering, lowers } from '../lowering.js';
import { copyIndexed } from './indexed-copy.js';

function lowerPad(c: Lowering, parameters: PadParameters): 'host' | undefined {
  const { paddings } = parameters;
  if (paddings.flat().every((n) => n === 0)) {
    c.alias(0, 0);
    return;
  }
  const dims = c.shape(0);
  const maps = paddings.map((padding, axis) => {
    if (padding.every((n) => n === 0)) return null;
    const size = dims[axis] as Size;
    if (isSame(size, 0)) mapOf(c, parameters, axis, 0);
    return { sizes: [size], make: ([length]: readonly number[]) => mapOf(c, parameters, axis, length as number) };
  });
  return copyIndexed(c, maps, parameters.fill);
}

export const paddings = lowers(pad, lowerPad);
