import { type Dim, tensorType } from '../graph/types.js';
import { float, int, ints } from '../schema/attributes.js';
import { defineOp, type Inference } from '../schema/definition.js';
import { attendOnHost } from './attend-on-host.js';
import { batchDims, type FusedAttentionAttributes, geometryOf, LENGTHS, permOf, viewed } from './attention-geometry.js';

/** Dims of the result, as far as they are known. */
function resultDims(c: Inference<FusedAttentionAttributes>): Dim[] | undefined {
  const [q, k, v] = [viewed(c, 0, 'q_perm'), viewed(c, 1, 'k_perm'), viewed(c, 2, 'v_perm')];
  const shown = q && k && v && [...batchDims(c, [q, k, v]), q.at(-2) as Dim, v.at(-1) as Dim];
  return shown && permOf(c, 'y_perm', shown.length).map((axis) => shown[axis] as Dim);
}

/**
 * softmax(scale · Q·Kᵀ + mask) · V over the last two axes. `q_perm`, `k_perm` and `v_perm` show the inputs as
 * [(batch,) heads, rows, columns], `y_perm` permutes the result; columns stay last. Fewer key heads than query heads
 * are shared by neighbouring ones; the mask broadcasts to [(batch,) heads, query rows, key rows].
 * `lengths` [batch] says how many key rows there are. Where `causal`, query i sees keys up to i + `causal_offset`, by default
 * as many as let the last query see the last key.
 */
export const fusedAttention = defineOp({
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
  infer: (c) => [tensorType(c.element(0), resultDims(c))],
  evaluate(c) {
    const dims = resultDims(c) as number[];
    const optional = (i: number) => (c.given(i) ? c.tensor(i) : undefined);
    const operands = { q: c.tensor(0), k: c.tensor(1), v: c.tensor(2), mask: optional(3), lengths: optional(LENGTHS) };
    return [attendOnHost(operands, geometryOf(c, dims), dims)];
  },
});
