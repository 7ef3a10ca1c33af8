import { broadcastStrides } from '../../../bindings/space.js';
import { AttentionTile } from '../../../build/kernels.js';
import { stridesOf } from '../../graph/dims.js';
import { type Dim, tensorType } from '../../graph/types.js';
import { float, int, ints } from '../attributes.js';
import { defineOp, type Inference, type Lowering } from '../definition.js';

interface AttentionAttributes {
  readonly scale: number;
  readonly causal: number;
  readonly softcap: number;
  readonly q_perm: readonly number[] | undefined;
  readonly k_perm: readonly number[] | undefined;
  readonly v_perm: readonly number[] | undefined;
  readonly y_perm: readonly number[] | undefined;
}

type Perm = 'q_perm' | 'k_perm' | 'v_perm' | 'y_perm';

const permOf = (c: Inference<AttentionAttributes>, name: Perm, rank: number) =>
  c.attributes[name] ?? Array.from({ length: rank }, (_, i) => i);

/** Dims of input `i` as [batch…, rows, columns]. */
function viewed(c: Inference<AttentionAttributes>, i: number, name: Perm): Dim[] | undefined {
  const dims = c.dims(i);
  return dims && permOf(c, name, dims.length).map((axis) => dims[axis] as Dim);
}

/** Strides of [batch, heads, rows] under the permutation that shows a tensor of `dims` as [(batch,) heads, rows, columns]. */
function stridesThrough(dims: readonly number[], perm: readonly number[]): [number, number, number] {
  const strides = stridesOf(dims);
  const shown = perm.map((axis) => strides[axis] as number);
  return [dims.length === 4 ? (shown.at(-4) as number) : 0, shown.at(-3) as number, shown.at(-2) as number];
}

function maskStrides(c: Lowering<AttentionAttributes>, scores: readonly number[]) {
  if (!c.given(3)) return [0, 0, 0, 0] as const;
  return broadcastStrides(c.shape(3), scores) as unknown as readonly [number, number, number, number];
}

function lower(c: Lowering<AttentionAttributes>): undefined {
  const q = viewed(c, 0, 'q_perm') as number[];
  const k = viewed(c, 1, 'k_perm') as number[];
  const v = viewed(c, 2, 'v_perm') as number[];
  const rank = q.length;
  const [batch, heads] = [rank === 4 ? (q[0] as number) : 1, q.at(-3) as number];
  const [queryLength, headSize] = q.slice(-2) as [number, number];
  const keyLength = k.at(-2) as number;
  const out = permOf(c, 'y_perm', rank);
  const back = out.map((_, axis) => out.indexOf(axis));
  const [qBatchStride, qHeadStride, qRowStride] = stridesThrough(c.shape(0), permOf(c, 'q_perm', rank));
  const [kBatchStride, kHeadStride, kRowStride] = stridesThrough(c.shape(1), permOf(c, 'k_perm', rank));
  const [vBatchStride, vHeadStride, vRowStride] = stridesThrough(c.shape(2), permOf(c, 'v_perm', rank));
  const [yBatchStride, yHeadStride, yRowStride] = stridesThrough(c.outputShape(0), back);
  const mask = maskStrides(c, [batch, heads, queryLength, keyLength]);
  const params = {
    q: c.input(0),
    k: c.input(1),
    v: c.input(2),
    y: c.output(0),
    mask: c.given(3) ? c.input(3) : 0,
    keyLengths: 0,
    batch,
    heads,
    kvHeads: k.at(-3) as number,
    queryLength,
    keyLength,
    headSize,
    valueSize: v.at(-1) as number,
    qBatchStride,
    qHeadStride,
    qRowStride,
    kBatchStride,
    kHeadStride,
    kRowStride,
    vBatchStride,
    vHeadStride,
    vRowStride,
    yBatchStride,
    yHeadStride,
    yRowStride,
    maskBatchStride: mask[0],
    maskHeadStride: mask[1],
    maskRowStride: mask[2],
    maskColumnStride: mask[3],
    causal: c.attributes.causal,
    causalOffset: keyLength - queryLength,
    scale: c.attributes.scale,
    softcap: c.attributes.softcap,
  };
  const tiles = batch * heads * Math.ceil(queryLength / AttentionTile.QueryRows);
  c.launch('attention', params, tiles, { writes: [c.output(0)] });
}

/**
 * softmax(scale · Q·Kᵀ + mask) · V over the last two axes. `q_perm`, `k_perm` and `v_perm` show the inputs as
 * [(batch,) heads, rows, columns], `y_perm` permutes the result; columns stay last. Fewer key heads than query heads
 * are shared by neighbouring ones; the mask broadcasts to [(batch,) heads, query rows, key rows].
 */
export const fusedAttention = defineOp({
  domain: 'sardonyx',
  name: 'Attention',
  signature: 'Q: T, K: T, V: T, mask?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: {
    scale: float(1),
    causal: int(0),
    softcap: float(0),
    q_perm: ints(),
    k_perm: ints(),
    v_perm: ints(),
    y_perm: ints(),
  },
  infer(c) {
    const [q, v] = [viewed(c, 0, 'q_perm'), viewed(c, 2, 'v_perm')];
    const shown = q && v && [...q.slice(0, -1), v.at(-1) as Dim];
    return [tensorType('float32', shown && permOf(c, 'y_perm', shown.length).map((axis) => shown[axis] as Dim))];
  },
  lower,
});
