import { AttentionTile } from '../../../../build/kernels.js';
import { ceilDivide, floorDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { attention } from '../../../primitives/attention.js';
import { LENGTHS, type OpenAttention } from '../../../primitives/attention-geometry.js';
import { type Lowering, lowers } from '../lowering.js';

/** Batch and head strides of keys or values whose heads have spare rows up to a pitch; none if they are dense. */
export function strides(c: Lowering, i: 1 | 2, { keyLength, ...of }: OpenAttention) {
  const pitch = c.pitch(i);
  if (pitch === undefined) return {};
  const apart = (stride: Size) => multiply(floorDivide(stride, keyLength), pitch);
  if (i === 1) return { kBatchStride: apart(of.kBatchStride), kHeadStride: apart(of.kHeadStride) };
  return { vBatchStride: apart(of.vBatchStride), vHeadStride: apart(of.vHeadStride) };
}

function lowerAttention(c: Lowering, geometry: OpenAttention): 'host' | undefined {
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
  const tiles = product([batch, heads, ceilDivide(queryLength, AttentionTile.QueryRows)]);
  c.launch('attention', params, tiles, { writes: [c.output(0)] });
}

export const attentions = lowers(attention, lowerAttention);
