import { stridesOf } from '../../../graph/dims.js';
import { repeatedWalk } from '../../../ops/onnx/tensor/tile.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { copyStrided } from './strided-copy.js';

function tile(c: Lowering): 'host' | undefined {
  if (!isWholeBytes(c.element(0))) return 'host';
  const { dims, strides } = repeatedWalk(c, c.shape(0));
  const to = { place: c.output(0), strides: stridesOf(dims) };
  return copyStrided(c, c.element(0), dims, { place: c.input(0), strides }, to);
}

export const repetitions: Lowerings = { Tile: tile };
