import { broadcastStrides, stridesOf } from '../graph/dims.js';
import { areDecided, differ, isAtMost, isSame } from '../graph/guards.js';
import { formatSizes, maximum, modulo, type Size, subtract } from '../graph/sizes.js';
import type { Inference } from '../schema/definition.js';
import { requireDims } from '../schema/shapes.js';

export interface FusedAttentionAttributes {
  readonly scale: number;
  readonly causal: number;
  readonly causal_offset: number | undefined;
  readonly softcap: number;
  readonly q_perm: readonly number[] | undefined;
  readonly k_perm: readonly number[] | undefined;
  readonly v_perm: readonly number[] | undefined;
  readonly y_perm: readonly number[] | undefined;
}

/** Position of the input with the key lengths. */
export const LENGTHS = 4;

type Perm = 'q_perm' | 'k_perm' | 'v_perm' | 'y_perm';

export const permOf = (c: Inference<FusedAttentionAttributes>, name: Perm, rank: number) =>
  c.attributes[name] ?? Array.from({ length: rank }, (_, i) => i);

/** Dims of input `i` as [batch…, rows, columns]. */
export function viewed(c: Inference<FusedAttentionAttributes>, i: number, name: Perm): Size[] | undefined {
  const dims = c.dims(i);
  return dims && permOf(c, name, dims.length).map((axis) => dims[axis] as Size);
}

/**
 * Strides of [batch, heads, rows] under the permutation that views a tensor of `dims` as [(batch,) heads, rows, columns]; 0 along batches
 * and heads of size 1.
 */
function stridesThrough(dims: readonly Size[], perm: readonly number[]): [Size, Size, Size] {
  const strides = stridesOf(dims);
  const [row, head, batch] = perm.slice(0, -1).reverse() as [number, number, number | undefined];
  const spread = (axis: number | undefined) =>
    axis === undefined || isSame(dims[axis] as Size, 1) ? 0 : (strides[axis] as Size);
  return [spread(batch), spread(head), strides[row] as Size];
}

/** The size that sizes of 1 broadcast to; of several head counts, the largest. */
function jointSize(sizes: readonly Size[]): Size {
  if (areDecided(sizes))
    return sizes.reduce((joint, d) => (isSame(joint, 1) ? d : isSame(d, 1) || isAtMost(d, joint) ? joint : d), 1);
  const all: readonly Size[] = sizes;
  const known = all.filter((d): d is number => typeof d === 'number' && d !== 1);
  return known.length > 0 ? Math.max(...known) : (all.find((d) => typeof d !== 'number') ?? 1);
}

/** Batch and head dims of the result, to which Q, K, V and mask broadcast. */
export function batchDims(c: Inference<FusedAttentionAttributes>, shown: readonly (readonly Size[])[]): Size[] {
  const mask = (c.given(3) && c.dims(3)) || [];
  const leading = (shown[0] as readonly Size[]).slice(0, -2);
  return leading.map((_, axis) => {
    const sizes = shown.map((dims) => dims[axis] as Size);
    const own = mask[axis - leading.length + mask.length - 2] ?? 1;
    const joint = jointSize([...sizes, own]);
    const isHead = axis === leading.length - 1;
    const fits = (d: Size) =>
      isSame(d, 1) || (isHead ? !isSame(d, 0) && !differ(modulo(joint, d), 0) : !differ(d, joint));
    if (![...sizes, own].every(fits))
      c.fail('INVALID_SHAPE', `batches or heads of ${[...sizes, own]} do not broadcast`);
    return joint;
  });
}

interface Views {
  readonly q: readonly Size[];
  readonly k: readonly Size[];
  readonly v: readonly Size[];
}

const spreadsTo = (d: Size, size: Size): boolean => !differ(d, size) || isSame(d, 1);

/** Checks that the operands, as [(batch,) heads, rows, columns], fit together. Kernels rely on this. */
export function checkOperands(c: Inference<FusedAttentionAttributes>, { q, k, v }: Views): void {
  const leading = batchDims(c, [q, k, v]);
  const [rows, keys, heads] = [q.at(-2) as Size, k.at(-2) as Size, leading.at(-1) as Size];
  const [keyHeads, valueHeads] = [k.at(-3) as Size, v.at(-3) as Size];
  const isUneven = !spreadsTo(q.at(-3) as Size, heads) || !(spreadsTo(keyHeads, valueHeads) || isSame(valueHeads, 1));
  if (isUneven || differ(keys, v.at(-2)) || differ(q.at(-1), k.at(-1)))
    c.fail(
      'INVALID_SHAPE',
      `queries [${formatSizes(q)}], keys [${formatSizes(k)}] and values [${formatSizes(v)}] do not match`,
    );
  const scores = [...leading, rows, keys];
  const mask = (c.given(3) && c.dims(3)) || [];
  if (mask.length > scores.length || !mask.every((d, axis) => spreadsTo(d, scores.at(axis - mask.length) as Size)))
    c.fail(
      'INVALID_SHAPE',
      `the mask [${formatSizes(mask)}] does not broadcast to the scores [${formatSizes(scores)}]`,
    );
  requireDims(c, LENGTHS, [leading.length > 1 ? leading[0] : 1]);
}

function maskStrides(c: Inference<FusedAttentionAttributes>, scores: readonly Size[]) {
  if (!c.given(3)) return [0, 0, 0, 0] as const;
  return broadcastStrides(dimsOf(c, 3), scores) as unknown as readonly [Size, Size, Size, Size];
}

const dimsOf = (c: Inference<unknown>, i: number) => c.dims(i) as readonly Size[];

/** Sizes and strides of a node some of whose sizes may be open. */
export type OpenAttention = ReturnType<typeof geometryOf>;

/** The same where all are numbers. */
export type AttentionGeometry = { readonly [F in keyof OpenAttention]: number };

/** Sizes and strides, in elements. */
export function geometryOf(c: Inference<FusedAttentionAttributes>, yDims: readonly Size[]) {
  const q = viewed(c, 0, 'q_perm') as Size[];
  const k = viewed(c, 1, 'k_perm') as Size[];
  const v = viewed(c, 2, 'v_perm') as Size[];
  const rank = q.length;
  const [heads, batch = 1] = batchDims(c, [q, k, v]).reverse() as [Size, Size?];
  const [queryLength, headSize] = q.slice(-2) as [Size, Size];
  const keyLength = k.at(-2) as Size;
  const out = permOf(c, 'y_perm', rank);
  const back = out.map((_, axis) => out.indexOf(axis));
  const [qBatchStride, qHeadStride, qRowStride] = stridesThrough(dimsOf(c, 0), permOf(c, 'q_perm', rank));
  const [kBatchStride, kHeadStride, kRowStride] = stridesThrough(dimsOf(c, 1), permOf(c, 'k_perm', rank));
  const [vBatchStride, vHeadStride, vRowStride] = stridesThrough(dimsOf(c, 2), permOf(c, 'v_perm', rank));
  const [yBatchStride, yHeadStride, yRowStride] = stridesThrough(yDims, back);
  const mask = maskStrides(c, [batch, heads, queryLength, keyLength]);
  return {
    batch,
    heads,
    kvHeads: maximum(k.at(-3) as Size, v.at(-3) as Size),
    queryLength,
    keyLength,
    headSize,
    valueSize: v.at(-1) as Size,
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
    causalOffset: c.attributes.causal_offset ?? subtract(keyLength, queryLength),
    scale: c.attributes.scale,
    softcap: c.attributes.softcap,
  };
}
