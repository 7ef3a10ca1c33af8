import { stridesOf } from '../../../graph/dims.js';
import { fillOf, mapsOf, type PadAttributes, type Padding, paddingsOf } from '../../../ops/onnx/tensor/pad.js';
import { repeatedWalk } from '../../../ops/onnx/tensor/tile.js';
import { isWholeBytes } from '../../../tensor/strided.js';
import type { Lowering, Lowerings } from '../lowering.js';
import { copyIndexed } from './indexed-copy.js';
import { copyStrided } from './strided-copy.js';

function pad(c: Lowering<PadAttributes>): 'host' | undefined {
  const dims = c.shape(0);
  const paddings = paddingsOf(c, dims.length) as Padding[];
  if (paddings.flat().every((n) => n === 0)) {
    c.alias(0, 0);
    return;
  }
  return copyIndexed(c, mapsOf(c, paddings, dims), fillOf(c));
}

function tile(c: Lowering): 'host' | undefined {
  if (!isWholeBytes(c.element(0))) return 'host';
  const { dims, strides } = repeatedWalk(c, c.shape(0));
  const to = { place: c.output(0), strides: stridesOf(dims) };
  return copyStrided(c, c.element(0), dims, { place: c.input(0), strides }, to);
}

export const extensions: Lowerings = { Pad: pad, Tile: tile };
