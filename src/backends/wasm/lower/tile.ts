import { stridesOf } from '../../../graph/dims.js';
import type { Size } from '../../../graph/sizes.js';
import { repeatedWalk, tile } from '../../../primitives/tile.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import { type Lowering, lowers } from '../lowering.js';
import { copyStrided } from './strided-copy.js';

/** Repetitions that may be symbolic. */
interface OpenTile {
  readonly repeats: readonly Size[];
}

function lowerTile(c: Lowering, { repeats }: OpenTile): 'host' | undefined {
  if (!isWholeBytes(c.element(0))) return 'host';
  const { dims, strides } = repeatedWalk(c.shape(0), repeats);
  const to = { place: c.output(0), strides: stridesOf(dims) };
  return copyStrided(c, c.element(0), dims, { place: c.input(0), strides }, to);
}

export const repetitions = lowers(tile, lowerTile);
