import { AttentionTile } from '../../../../build/kernels.js';
import { attention } from '../../../primitives/attention.js';
import { type AttentionGeometry, LENGTHS } from '../../../primitives/attention-geometry.js';
import { type Lowering, lowers } from '../lowering.js';

/** Strides of keys or values whose heads lie further apart than their rows take. */
export function strides(c: Lowering, i: 1 | 2, { keyLength, ...of }: AttentionGeometry) {
  const pitch = c.pitch(i);
  if (pitch === undefined) return {};
  const apart = (stride: number) => (stride / keyLength) * pitch;
  if (i === 1) return { kBatchStride: apart(of.kBatchStride), kHeadStride: apart(of.kHeadStride) };
  return { vBatchStride: apart(of.vBatchStride), vHeadStride: apart(of.vHeadStride) };
}

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
    ...strides(c, 1, geometry),
    ...strides(c, 2, geometry),
  };
  const { batch, heads, queryLength } = geometry;
  c.isEven();
  const tiles = { count: queryLength, per: AttentionTile.QueryRows, times: batch * heads };
  c.launch('attention', params, tiles, { writes: [c.output(0)] });
}

export const attentions = lowers(attention, lowerAttention);
