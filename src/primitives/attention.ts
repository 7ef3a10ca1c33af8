import { areDecided } from '../graph/guards.js';
import type { Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { float, int, ints } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { attendOnHost } from './attend-on-host.js';
import {
  type AttentionGeometry,
  batchDims,
  checkOperands,
  type FusedAttentionAttributes,
  geometryOf,
  LENGTHS,
  permOf,
  viewed,
} from './attention-geometry.js';

/** Whether the permutation of input `i` is the identity. Keys and values may then have a pitch. */
export const liesInOrder = ({ attributes }: Inference<unknown>, i: number) =>
  (((attributes as FusedAttentionAttributes)[PERMS[i] as 'k_perm'] ?? []) as readonly number[]).every(
    (axis, place) => axis === place,
  );

export const PERMS: Readonly<Record<number, string>> = { 1: 'k_perm', 2: 'v_perm' };

/**
 * softmax(scale · Q·Kᵀ + mask) · V over the last two axes of [(batch,) heads, rows, columns]. If there are fewer key heads than query
 * heads, neighboring query heads share one. The mask broadcasts to [(batch,) heads, query rows, key rows]. `lengths` [batch] gives the
 * number of valid key rows. With `causal`, query i sees keys up to i + `causalOffset`; by default the last query sees the last key.
 */
export const attention: Primitive<AttentionGeometry> = {
  name: 'attention',
  facts: {
    takesPitch: (c, i) => i in PERMS && c.element(0) === 'float32' && liesInOrder(c, i),
    multiplyAdds: (_, { batch, heads, queryLength, keyLength, headSize, valueSize }) =>
      batch * heads * queryLength * keyLength * (headSize + valueSize),
  },
  reference(c, geometry) {
    const optional = (i: number) => (c.given(i) ? c.tensor(i) : undefined);
    const operands = { q: c.tensor(0), k: c.tensor(1), v: c.tensor(2), mask: optional(3), lengths: optional(LENGTHS) };
    return [attendOnHost(operands, geometry, c.result(0).dims)];
  },
};

/** Dims of the result, as far as they are known. */
function resultDims(c: Inference<FusedAttentionAttributes>): Size[] | undefined {
  const [q, k, v] = [viewed(c, 0, 'q_perm'), viewed(c, 1, 'k_perm'), viewed(c, 2, 'v_perm')];
  const shown = q && k && v && [...batchDims(c, [q, k, v]), q.at(-2) as Size, v.at(-1) as Size];
  return shown && permOf(c, 'y_perm', shown.length).map((axis) => shown[axis] as Size);
}

/** `q_perm`, `k_perm` and `v_perm` view the inputs as [(batch,) heads, rows, columns]; `y_perm` permutes the result. Columns stay last. */
export const attentionOperator = defineOp({
  domain: 'sardonyx',
  name: 'Attention',
  signature: 'Q: T, K: T, V: T, mask?: T, lengths?: int32 -> Y: T',
  types: { T: ['float32', 'float64'] },
  attributes: {
    scale: float(1),
    causal: int(0),
    causal_offset: int(),
    softcap: float(0),
    q_perm: ints(),
    k_perm: ints(),
    v_perm: ints(),
    y_perm: ints(),
  },
  guarded: true,
  infer(c) {
    const [q, k, v] = [viewed(c, 0, 'q_perm'), viewed(c, 1, 'k_perm'), viewed(c, 2, 'v_perm')];
    if (q && k && v) checkOperands(c, { q, k, v });
    return [tensorType(c.element(0), resultDims(c))];
  },
  computes: by(attention, (c: Inference<FusedAttentionAttributes>) => {
    const dims = resultDims(c);
    const isMaskKnown = !c.given(3) || areDecided(c.dims(3));
    return areDecided(dims) && isMaskKnown ? (geometryOf(c, dims) as AttentionGeometry) : undefined;
  }),
});
