import { floatAttribute, intAttribute, intsAttribute } from '../../graph/attributes.js';
import type { Attribute, Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeOpen, reshapeTo } from '../emit.js';
import { shapeOf, sizesAlong } from '../emit-shapes.js';
import { type Heads, knownMask, type Sight, sightMask } from './sight.js';

type Context = Decomposition<unknown>;

/** Swaps the layouts [batch, heads, rows, columns] and [batch, rows, heads, columns]. */
export const SWAP = intsAttribute([0, 2, 1, 3]);

export interface Operands {
  readonly q: Heads;
  readonly k: Heads;
  readonly v: Heads;
}

export interface Rules extends Sight {
  readonly scale: number;
  readonly softcap: number;
  /** Added to the scores. */
  readonly mask: Value | null;
  /** Per head, the logarithm of a term that is added to the denominator of the softmax. */
  readonly sink: Value | null;
}

/** Heads of a tensor of shape [batch, rows, heads · columns], without copying. */
export const headsSideBySide = (c: Context, value: Value, dims: Heads['dims']): Heads => {
  const [, heads, , columns] = dims;
  return { value: reshapeTo(c, value, [0, 0, heads, columns]), dims, swapped: true };
};

/** Converts to the layout [batch, heads, rows, columns]. */
export const ordered = (c: Context, { value, swapped }: Heads): Value =>
  swapped ? emitOne(c, 'Transpose', [value], { perm: SWAP }) : value;

const withMask = (c: Context, mask: Value | null, own: Value | null): Value | null =>
  mask && own ? emitOne(c, 'Add', [mask, own]) : (mask ?? own);

/** Without lengths, a constant: it costs no time in a run. */
const windowMask = (c: Context, rules: Rules, q: Heads, k: Heads): Value | null =>
  rules.lengths ? sightMask(c, rules, q, k) : knownMask(c, rules, q.dims[2], k.dims[2]);

/** softmax(softcap(scale · Q·Kᵀ) + mask) · V as [batch, rows, heads · columns]; does not store scores. */
export function attend(c: Context, { q, k, v }: Operands, rules: Rules): Value {
  const { causal, lengths, scale, softcap } = rules;
  // Omitted if the last query sees the last key, so that plans for other lengths are alike.
  const isOffset = causal && !lengths && causal.offset !== k.dims[2] - q.dims[2];
  const attributes: Record<string, Attribute> = {
    scale: floatAttribute(scale),
    softcap: floatAttribute(softcap),
    causal: intAttribute(causal ? 1 : 0),
    ...(isOffset && { causal_offset: intAttribute(causal.offset) }),
    y_perm: SWAP,
    ...(q.swapped && { q_perm: SWAP }),
    ...(k.swapped && { k_perm: SWAP }),
    ...(v.swapped && { v_perm: SWAP }),
  };
  const hidden = rules.window === undefined ? null : windowMask(c, rules, q, k);
  const mask = withMask(c, rules.mask, hidden);
  const y = emitOne(c, 'sardonyx:Attention', [q.value, k.value, v.value, mask, lengths], attributes);
  return reshapeTo(c, y, [0, 0, q.dims[1] * v.dims[3]]);
}

/** Attention with its scores, [batch, heads, queries, keys], which are 0 for keys that a query does not see, and its softmax weights. */
export interface Scored {
  readonly y: Value;
  readonly scores: Value;
  readonly weights: Value;
}

/** Treats query heads that share a key head as additional rows of one head. */
const grouped = (c: Context, x: Value, [batch, heads, rows]: Heads['dims'], shared: number, columns: number): Value =>
  reshapeOpen(c, x, [0, shared, -1, 0], [batch, shared, (heads / shared) * rows, columns]);

/** Reverses `grouped`. */
const apart = (c: Context, x: Value, [batch, heads, rows]: Heads['dims'], columns: number): Value =>
  reshapeOpen(c, x, [0, heads, -1, 0], [batch, heads, rows, columns]);

function scoresOf(c: Context, { q, k }: Operands, { scale, softcap, mask }: Rules): Value {
  const queries = grouped(c, ordered(c, q), q.dims, k.dims[1], q.dims[3]);
  const attributes = { transB: intAttribute(1), alpha: floatAttribute(scale) };
  const products = emitOne(c, 'sardonyx:MatMul', [queries, ordered(c, k)], attributes);
  const f = arithmeticOn(c, 'float32');
  const scores = apart(c, products, q.dims, k.dims[2]);
  const capped = softcap ? f('Mul', f('Tanh', f('Div', scores, softcap)), softcap) : scores;
  return mask ? f('Add', capped, mask) : capped;
}

/** Softmax with the sink as an additional column, which is dropped afterwards. */
function weightsOf(c: Context, scores: Value, sink: Value | null, heads: number): Value {
  const last = { axis: intAttribute(-1) };
  if (!sink) return emitOne(c, 'Softmax', [scores], last);
  const shape = shapeOf(c, sizesAlong(c, scores, 0, 3), 1);
  const column = emitOne(c, 'Expand', [reshapeTo(c, sink, [1, heads, 1, 1]), shape]);
  const weights = emitOne(c, 'Softmax', [emitOne(c, 'Concat', [scores, column], last)], last);
  return emitOne(c, 'Slice', [weights, listOf(c, [0]), listOf(c, [-1]), listOf(c, [-1])]);
}

/** Like `attend`, but stores scores and weights: needed for sinks and for nodes that return scores. */
export function attendByScores(c: Context, operands: Operands, rules: Rules): Scored {
  const { q, k, v } = operands;
  const heads = q.dims[1];
  const scores = scoresOf(c, operands, rules);
  const hidden = sightMask(c, rules, q, k);
  const weights = weightsOf(c, hidden ? emitOne(c, 'Add', [scores, hidden]) : scores, rules.sink, heads);
  const sums = emitOne(c, 'MatMul', [grouped(c, weights, q.dims, v.dims[1], k.dims[2]), ordered(c, v)]);
  const y = emitOne(c, 'Transpose', [apart(c, sums, q.dims, v.dims[3])], { perm: SWAP });
  const f = arithmeticOn(c, 'float32');
  const seen = hidden ? f('Where', f('Equal', hidden, 0), scores, 0) : scores;
  return { y: reshapeTo(c, y, [0, 0, heads * v.dims[3]]), scores: seen, weights };
}

/** Casts half precision to float32, in which attention kernels compute. */
export const widened = (c: Context, heads: Heads, isHalf: boolean): Heads =>
  isHalf ? { ...heads, value: castTo(c, heads.value, 'float32') } : heads;
