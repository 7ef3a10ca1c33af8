import { AttentionTile } from '../../../../build/kernels.js';
import { attention } from '../../../primitives/attention.js';
import { type AttentionGeometry, LENGTHS } from '../../../primitives/attention-geometry.js';
import { type Lowering, lowers } from '../lowering.js';

function lowerAttention(c: Lowering, geometry: AttentionGeometry): 'host' | undefined {
  if (c.element(0) !== 'float32') return 'host';
  const params = {
    q: c.input(0),
    k: c.input(1),
    v: c.input(2),
    y: c.output(0),
    mask: c.given(3) ? c.input(3) : 0,
    keyLengths: c.given(LENGTHS) ? c.input(LENGTHS) : 0,
    ...geometry,
  };
  const { batch, heads, queryLength } = geometry;
  const tiles = batch * heads * Math.ceil(queryLength / AttentionTile.QueryRows);
  c.launch('attention', params, tiles, { writes: [c.output(0)] });
}

export const attentions = lowers(attention, lowerAttention);
