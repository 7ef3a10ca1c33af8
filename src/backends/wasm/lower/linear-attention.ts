import { LinearAttentionTile } from '../../../../build/kernels.js';
import {
  BETA,
  DECAY,
  type Heads,
  KEY,
  type LinearAttentionSizes,
  OUTPUT,
  PAST,
  PRESENT,
  QUERY,
  sizesOf,
  VALUE,
} from '../../../ops/onnx/nn/linear-attention.js';
import type { Inference } from '../../../schema/definition.js';
import type { Lowering, Lowerings } from '../lowering.js';

/** The widths of the gates, by which they broadcast. */
const widthOf = (c: Inference<Heads>, i: number) => (c.given(i) ? ((c.dims(i) as number[])[2] as number) : 0);

/** The kernel holds 16 columns of a state in its scratch block. */
const MAX_KEY_SIZE = 16384;

function linearAttention(c: Lowering<Heads & { readonly scale: number }>): undefined {
  const sizes = sizesOf(c) as LinearAttentionSizes;
  const { batch, length, heads, valueSize } = sizes;
  if (sizes.keySize > MAX_KEY_SIZE) c.fail('INVALID_SHAPE', `heads of ${sizes.keySize} keys exceed ${MAX_KEY_SIZE}`);
  const optional = (i: number) => (c.given(i) ? c.input(i) : 0);
  const y = c.wanted(OUTPUT) ? c.output(OUTPUT) : c.temporary(4 * batch * length * heads * valueSize);
  const params = {
    q: c.input(QUERY),
    k: c.input(KEY),
    v: c.input(VALUE),
    past: optional(PAST),
    decay: optional(DECAY),
    beta: optional(BETA),
    y,
    present: c.wanted(PRESENT) ? c.output(PRESENT) : 0,
    ...sizes,
    decaySize: widthOf(c, DECAY) / sizes.kvHeads,
    betaHeads: widthOf(c, BETA),
    scale: c.attributes.scale,
  };
  const tiles = batch * sizes.kvHeads * Math.ceil(valueSize / LinearAttentionTile.Columns);
  const writes = c.wanted(PRESENT) ? [y, c.output(PRESENT)] : [y];
  const inPlace = c.given(PAST) && c.wanted(PRESENT) ? [[c.output(PRESENT), c.input(PAST)] as const] : [];
  c.launch('linearAttention', params, tiles, { writes, inPlace });
}

export const linearAttentions: Lowerings = { 'sardonyx:LinearAttention': linearAttention };
