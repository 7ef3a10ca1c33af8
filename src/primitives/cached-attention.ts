import { account } from '../account.js';
import { areDecided, differ } from '../graph/guards.js';
import { formatSizes, type Size, subtract } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { float, int, ints } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { SCALE_BYTES, widenedRows } from '../tensor/scaled-rows.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { liesInOrder, PERMS } from './attention.js';
import {
  type AttentionGeometry,
  batchDims,
  checkOperands,
  type FusedAttentionAttributes,
  geometryOf,
  LENGTHS,
  type OpenAttention,
  permOf,
  viewed,
} from './attention-geometry.js';

export interface CachedAttentionAttributes extends FusedAttentionAttributes {
  readonly window: number;
}

/** Position of the input with the attention sinks. */
export const SINKS = 5;

type Context = Inference<CachedAttentionAttributes>;

export type CachedAttentionParameters = AttentionGeometry & { readonly window: number };

/** The same where sizes may be open. */
export type OpenCachedAttention = OpenAttention & { readonly window: number };

/**
 * Attention over keys and values in a KV cache's format: float32, float16, or rows of 8-bit integers, each followed by its scale. If
 * `window` is not 0, query i sees only the last `window` keys up to its own. `sinks` [heads] are logarithms of terms added to the softmax
 * denominators.
 */
export const cachedAttention: Primitive<CachedAttentionParameters> = {
  name: 'cached-attention',
  facts: {
    takesPitch: (c, i) => i in PERMS && liesInOrder(c, i),
    multiplyAdds: (_, { batch, heads, queryLength, keyLength, headSize, valueSize }) =>
      batch * heads * queryLength * keyLength * (headSize + valueSize),
  },
  reference(c, parameters) {
    const [q, k, v] = [c.tensor(0), asStored(c.tensor(1)), asStored(c.tensor(2))];
    const optional = (i: number) => (c.given(i) ? numbersOf(c.tensor(i)) : undefined);
    const rows = { q: numbersOf(q), k, v, mask: optional(3), lengths: optional(LENGTHS), sinks: optional(SINKS) };
    const { dims } = c.result(0);
    return [tensorOf(q.type, dims, attendInRows(rows, parameters, elementCount(dims)))];
  },
};

/** Numbers at the positions that strides count. A row of 8-bit integers keeps four unused elements for its scale. */
const asStored = (x: TensorValue) => (x.type === 'int8' ? widenedRows(x, SCALE_BYTES) : numbersOf(x));

type Numbers = ArrayLike<number>;

interface Operands {
  readonly q: Numbers;
  readonly k: Numbers;
  readonly v: Numbers;
  readonly mask: Numbers | undefined;
  readonly lengths: Numbers | undefined;
  readonly sinks: Numbers | undefined;
}

/** Offsets of a query, its keys and values, its mask and its result. */
function placesOf(g: CachedAttentionParameters, b: number, h: number, i: number) {
  const shared = Math.floor((h * g.kvHeads) / g.heads);
  return {
    q: b * g.qBatchStride + h * g.qHeadStride + i * g.qRowStride,
    k: b * g.kBatchStride + shared * g.kHeadStride,
    v: b * g.vBatchStride + shared * g.vHeadStride,
    y: b * g.yBatchStride + h * g.yHeadStride + i * g.yRowStride,
    mask: b * g.maskBatchStride + h * g.maskHeadStride + i * g.maskRowStride,
  };
}

function attendInRows({ q, k, v, mask, lengths, sinks }: Operands, g: CachedAttentionParameters, count: number) {
  const y = new Float64Array(count);
  for (let n = 0; n < g.batch * g.heads * g.queryLength; n++) {
    const [i, h, b] = [
      n % g.queryLength,
      Math.floor(n / g.queryLength) % g.heads,
      Math.floor(n / g.queryLength / g.heads),
    ];
    const keys = Math.min(g.keyLength, lengths?.[b] ?? g.keyLength);
    const end = i + (lengths ? (lengths[b] as number) - g.queryLength : g.causalOffset) + 1;
    const until = g.causal ? Math.min(keys, end) : keys;
    const from = g.causal && g.window ? Math.max(0, end - g.window) : 0;
    const at = placesOf(g, b, h, i);
    account()?.spend(Math.max(0, until - from) * (g.headSize + g.valueSize));
    const scores = Array.from({ length: Math.max(0, until - from) }, (_, j) => {
      let score = 0;
      for (let e = 0; e < g.headSize; e++)
        score += (q[at.q + e] as number) * (k[at.k + (from + j) * g.kRowStride + e] as number);
      const capped = g.softcap ? g.softcap * Math.tanh((score * g.scale) / g.softcap) : score * g.scale;
      return capped + (mask ? (mask[at.mask + (from + j) * g.maskColumnStride] as number) : 0);
    });
    const weights = shares(scores, sinks?.[h]);
    for (let e = 0; e < g.valueSize; e++)
      y[at.y + e] = weights.reduce((a, w, j) => a + w * (v[at.v + (from + j) * g.vRowStride + e] as number), 0);
  }
  return y;
}

/** Weights that add up to 1 together with the sink's, or none if every score is −∞. */
function shares(scores: readonly number[], sink = Number.NEGATIVE_INFINITY): number[] {
  const largest = Math.max(sink, ...scores);
  if (largest === Number.NEGATIVE_INFINITY) return [];
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((a, b) => a + b, Math.exp(sink - largest));
  return powers.map((power) => power / total);
}

const valueSizeOf = (c: Context, columns: Size): Size =>
  c.element(2) === 'int8' ? subtract(columns, SCALE_BYTES) : columns;

/** Dims of the result, as far as they are known. */
function resultDims(c: Context): Size[] | undefined {
  const [q, v] = [viewed(c, 0, 'q_perm'), viewed(c, 2, 'v_perm')];
  const shown = q && v && [...q.slice(0, -1), valueSizeOf(c, v.at(-1) as Size)];
  return shown && permOf(c, 'y_perm', shown.length).map((axis) => shown[axis] as Size);
}

function check(c: Context): void {
  const [q, k, v] = [viewed(c, 0, 'q_perm'), viewed(c, 1, 'k_perm'), viewed(c, 2, 'v_perm')];
  if (!q || !k || !v) return;
  const columns = k.at(-1) as Size;
  checkOperands(c, { q, k: c.element(1) === 'int8' ? k.with(-1, subtract(columns, SCALE_BYTES)) : k, v });
  if (batchDims(c, [q, k, v]).some((size, axis) => differ(size, q[axis])))
    c.fail(
      'INVALID_SHAPE',
      `keys [${formatSizes(k)}] and values [${formatSizes(v)}] exceed queries [${formatSizes(q)}]`,
    );
  requireDims(c, SINKS, [q.at(-3)]);
}

function parametersOf(c: Context): CachedAttentionParameters | undefined {
  const dims = resultDims(c);
  if (!areDecided(dims) || !areDecided(c.dims(1)) || (c.given(3) && !areDecided(c.dims(3)))) return undefined;
  const geometry = geometryOf(c, dims);
  const valueSize = valueSizeOf(c, geometry.valueSize);
  const open: OpenCachedAttention = { ...geometry, valueSize, window: c.attributes.window };
  return open as CachedAttentionParameters;
}

/** Has the attributes of `sardonyx:Attention`, at rank 4. Rewrites that emit it must ensure head counts and sizes that kernels support. */
export const cachedAttentionOperator = defineOp({
  domain: 'sardonyx',
  name: 'CachedAttention',
  signature: 'Q: T, K: C, V: C, mask?: T, lengths?: int32, sinks?: T -> Y: T',
  types: { T: ['float32', 'float64'], C: ['float32', 'float64', 'float16', 'int8'] },
  halves: 'as they are',
  attributes: {
    scale: float(1),
    causal: int(0),
    causal_offset: int(),
    window: int(0),
    softcap: float(0),
    q_perm: ints(),
    k_perm: ints(),
    v_perm: ints(),
    y_perm: ints(),
  },
  guarded: true,
  infer(c) {
    check(c);
    return [tensorType(c.element(0), resultDims(c))];
  },
  computes: by(cachedAttention, parametersOf),
});
