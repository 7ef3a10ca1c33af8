import { LinearAttentionTile } from '../../../../build/quantized-kernels.js';
import { isAtMost } from '../../../graph/guards.js';
import { ceilDivide, formatSize, product } from '../../../graph/sizes.js';
import {
  BETA,
  DECAY,
  KEY,
  linearAttention,
  type OpenLinearAttention,
  OUTPUT,
  PAST,
  PRESENT,
  QUERY,
  VALUE,
} from '../../../primitives/linear-attention.js';
import { type Lowering, lowers } from '../lowering.js';

/** The kernel holds 16 columns of a state in its scratch block. */
const MAX_KEY_SIZE = 16384;

function lowerLinear(c: Lowering, parameters: OpenLinearAttention): undefined {
  const { batch, length, heads, kvHeads, keySize, valueSize } = parameters;
  if (!isAtMost(keySize, MAX_KEY_SIZE))
    c.fail('INVALID_SHAPE', `the key size ${formatSize(keySize)} exceeds ${MAX_KEY_SIZE}`);
  const optional = (i: number) => (c.given(i) ? c.input(i) : 0);
  const y = c.wanted(OUTPUT) ? c.output(OUTPUT) : c.temporary(product([4, batch, length, heads, valueSize]));
  const params = {
    q: c.input(QUERY),
    k: c.input(KEY),
    v: c.input(VALUE),
    past: optional(PAST),
    decay: optional(DECAY),
    beta: optional(BETA),
    y,
    present: c.wanted(PRESENT) ? c.output(PRESENT) : 0,
    ...parameters,
  };
  const tiles = product([batch, kvHeads, ceilDivide(valueSize, LinearAttentionTile.Columns)]);
  const writes = c.wanted(PRESENT) ? [y, c.output(PRESENT)] : [y];
  const inPlace = c.given(PAST) && c.wanted(PRESENT) ? [[c.output(PRESENT), c.input(PAST)] as const] : [];
  c.launch('linearAttention', params, tiles, { writes, inPlace });
}

export const linearAttentions = lowers(linearAttention, lowerLinear);
